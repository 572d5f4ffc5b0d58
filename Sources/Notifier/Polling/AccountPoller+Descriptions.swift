import Configuration
import Platform

/// Follows what watched items are called and where they are, as the rows show it that sweeps read anyway.
extension AccountPoller {
    /// Records what a sweep showed to be called otherwise than before; what the store refuses is recorded after the next sweep.
    func storeDescriptions(of list: SweptList) async {
        let changed = list.items.filter { !$0.isDescriptionStored }
        guard !changed.isEmpty else { return }
        let descriptions = changed.map { (watch: $0.watched.watch, description: $0.description) }
        do {
            try await context.store.transaction { store in
                for (watch, description) in descriptions { try store.setDescription(description, of: watch) }
            }
            for (item, stored) in zip(changed, descriptions) {
                item.isDescriptionStored = item.description == stored.description
            }
        } catch {
            context.log.write(.pollStoreFailed, [accountField, ("error", .text("\(error)"))])
        }
    }
}
