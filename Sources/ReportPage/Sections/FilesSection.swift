/// What else lies in the report's folder.
struct FilesSection {
    let files: [String]

    var drawn: Markup {
        let rows = ReportData.contents.filter { files.contains($0.name) }.map { file -> Markup in
            "<dt><a href=\"\(file.name)\"><code>\(file.name)</code></a></dt><dd>\(file.what)</dd>"
        }
        let body: Markup = """
            <dl>\(rows.joined())</dl>
            <p class="muted">The links work while this page lies in the folder of its report.</p>

            """
        return Section(id: "files", title: "Files", body: body).drawn
    }
}
