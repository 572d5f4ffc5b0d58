extension WatchDescription {
    /// As GitLab shows the item.
    init(_ details: ItemDetails) {
        self.init(title: details.title, projectPath: details.projectPath, webURL: details.webURL)
    }
}
