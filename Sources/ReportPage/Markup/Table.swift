/// A table with a caption, headed columns and rows headed by their first cell.
struct Table {
    enum Column {
        case text(String)
        case number(String)
    }

    var caption: String
    var columns: [Column]
    /// One cell for each column.
    var rows: [[Markup]]
    /// Anchors of rows, as many as there are rows; nil for none.
    var anchors: [String]?

    var drawn: Markup {
        let head = columns.map { column -> Markup in
            switch column {
            case .text(let name): "<th scope=\"col\">\(name)</th>"
            case .number(let name): "<th scope=\"col\" class=\"n\">\(name)</th>"
            }
        }
        let body = rows.enumerated().map { index, cells -> Markup in
            let anchor: Markup = anchors.map { " id=\"\($0[index])\"" } ?? ""
            return
                "<tr\(anchor)>\(zip(columns, cells).enumerated().map { cell($0.offset, $0.element) }.joined())</tr>\n"
        }
        return """
            <div class="wide" role="region" tabindex="0" aria-label="\(caption)"><table><caption>\(caption)</caption>\
            <thead><tr>\(head.joined())</tr></thead><tbody>
            \(body.joined())</tbody></table></div>

            """
    }

    private func cell(_ index: Int, _ cell: (column: Column, content: Markup)) -> Markup {
        if index == 0 { return "<th scope=\"row\">\(cell.content)</th>" }
        switch cell.column {
        case .text: return "<td class=\"text\">\(cell.content)</td>"
        case .number: return "<td class=\"n\">\(cell.content)</td>"
        }
    }
}
