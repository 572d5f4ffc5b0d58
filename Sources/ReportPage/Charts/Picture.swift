/// A picture with a name and a sentence that says what it shows.
struct Picture {
    /// Unique in the page; parts of the picture are named after it.
    var id: String
    var title: String
    /// What there is to see, for those who do not see it.
    var finding: String
    var height: Double
    var width = TimeAxis.width
    /// Further attributes, for the page's script.
    var attributes: Markup = ""
    /// Whether it is narrower than the pictures over time.
    var isSmall = false
    var body: Markup

    var drawn: Markup {
        let size: Markup = isSmall ? " class=\"small\"" : ""
        return """
            <div class="wide" role="region" tabindex="0" aria-label="\(title)"><svg id="\(id)" role="img"\(size)\(attributes) aria-labelledby="\(id)-t \(id)-d" \
            viewBox="0 0 \(width) \(Coordinate(height))"><title id="\(id)-t">\(title)</title><desc id="\(id)-d">\(finding)</desc>\
            \(body)</svg></div>

            """
    }
}

extension Picture {
    /// What such a file begins with, so that an older one is told from somebody's own.
    static let beginning = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-of=\"simctl report\" "

    /// As a file of its own, in the light or dark colours of whoever looks at it, with its title above and a legend below.
    func file(legend: [(shape: Markup, name: String, label: String)]) -> String {
        let (above, below) = (34.0, legend.isEmpty ? 8.0 : 34.0)
        var x = TimeAxis.left
        let keys = legend.map { key -> Markup in
            defer { x += key.label.roomInPicture + 34 }
            let y = Coordinate(height + above + 8)
            return """
                <svg x="\(Coordinate(x))" y="\(Coordinate(height + above - 3))" width="14" height="14" viewBox="0 0 14 14">\
                <path class="\(key.name)" d="\(key.shape)"/></svg><text class="axis" x="\(Coordinate(x + 20))" y="\(y)">\(key.label)</text>
                """
        }
        let markup: Markup = """
            \(Markup(stringLiteral: Self.beginning))role="img" aria-labelledby="\(id)-t \(id)-d" width="\(width)" \
            height="\(Coordinate(height + above + below))" viewBox="0 0 \(width) \(Coordinate(height + above + below))" \
            font-family="system-ui,sans-serif" font-size="12"><title id="\(id)-t">\(title)</title><desc id="\(id)-d">\(finding)</desc>
            <style>\(Markup(stringLiteral: StyleSheet.ofPicture))svg .ground{fill:var(--bg)}svg .title{font-size:15px;font-weight:600}</style>
            <rect class="ground" width="\(width)" height="\(Coordinate(height + above + below))"/>
            <text class="title" x="\(Coordinate(TimeAxis.left))" y="24">\(title)</text>
            <g transform="translate(0 \(Coordinate(above)))">\(body)</g>
            \(keys.joined())
            </svg>

            """
        return markup.text
    }
}

extension String {
    /// How wide the text is at most, in the units of a picture, whatever font the reader has.
    var roomInPicture: Double { Double(unicodeScalars.count) * 7.4 }
}
