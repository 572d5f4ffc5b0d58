/// Figures for people.
enum FigureTable {
    /// One line per figure, columns aligned, numbers to the right; empty for none.
    static func text(_ figures: [Figure]) -> String {
        let rows = figures.map(\.columns)
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                let width = rows.map { $0[column].count }.max() ?? 0
                let padding = String(repeating: " ", count: width - cell.count)
                return column == 2 ? padding + cell : column == row.count - 1 ? cell : cell + padding
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
