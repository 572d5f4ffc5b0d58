/// A picture with a name and a sentence that says what it shows.
struct Picture {
    /// Unique in the page; parts of the picture are named after it.
    var id: String
    var title: String
    /// What there is to see, for those who do not see it.
    var finding: String
    var height: Double
    var width = TimeAxis.width
    var body: Markup

    var drawn: Markup {
        """
        <div class="wide" role="region" tabindex="0" aria-label="\(title)"><svg role="img" aria-labelledby="\(id)-t \(id)-d" \
        viewBox="0 0 \(width) \(Coordinate(height))"><title id="\(id)-t">\(title)</title><desc id="\(id)-d">\(finding)</desc>\
        \(body)</svg></div>

        """
    }
}

extension String {
    /// How wide the text is at most, in the units of a picture, whatever font the reader has.
    var roomInPicture: Double { Double(unicodeScalars.count) * 7.4 }
}
