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
    /// Of columns of time, as many as there are rows; nil for none. Such a table has an address.
    var times: (id: String, columns: [Int])?

    var drawn: Markup {
        let address: Markup = times.map { " id=\"\($0.id)\"" } ?? ""
        let head = columns.map { column -> Markup in
            switch column {
            case .text(let name): "<th scope=\"col\">\(name)</th>"
            case .number(let name): "<th scope=\"col\" class=\"n\">\(name)</th>"
            }
        }
        let body = rows.enumerated().map { index, cells -> Markup in
            let anchor: Markup = anchors.map { " id=\"\($0[index])\"" } ?? ""
            let time: Markup = times.map { " data-column=\"\($0.columns[index])\"" } ?? ""
            return
                "<tr\(anchor)\(time)>\(zip(columns, cells).enumerated().map { cell($0.offset, $0.element) }.joined())</tr>\n"
        }
        return """
            <div class="wide" role="region" tabindex="0" aria-label="\(caption)"><table\(address)><caption>\(caption)</caption>\
            <thead><tr>\(head.joined())</tr></thead><tbody>
            \(body.joined())</tbody></table></div>

            """
    }

    private func cell(_ index: Int, _ cell: (column: Column, content: Markup)) -> Markup {
        if index == 0 {
            guard case .text = cell.column else { return "<th scope=\"row\">\(cell.content)</th>" }
            return "<th scope=\"row\" class=\"text\">\(cell.content)</th>"
        }
        switch cell.column {
        case .text: return "<td class=\"text\">\(cell.content)</td>"
        case .number: return "<td class=\"n\">\(cell.content)</td>"
        }
    }
}
