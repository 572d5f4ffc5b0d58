/// What a fact is about: what is told of one goes together, in a notification as in a digest.
enum FactSubject: Hashable, Sendable {
    case item(ItemReference)
    case duty(String)
    /// Where in GitLab is what is no item: a commit, a design, an epic, a key.
    case address(String)
    /// What has no address either is about itself.
    case fact(String)

    init(item: ItemReference?, duty: String?, webURL: String?, key: String) {
        if let item {
            self = .item(item)
        } else if let duty {
            self = .duty(duty)
        } else if let address = webURL?.split(separator: "#", maxSplits: 1).first {
            self = .address(String(address))
        } else {
            self = .fact(key)
        }
    }
}

extension Fact {
    /// What it is about.
    var subject: FactSubject {
        FactSubject(item: item, duty: duty?.duty, webURL: webURL, key: key.text)
    }
}

extension HeldFact {
    /// What it is about.
    var subject: FactSubject {
        FactSubject(item: item, duty: duty, webURL: webURL, key: key)
    }
}
