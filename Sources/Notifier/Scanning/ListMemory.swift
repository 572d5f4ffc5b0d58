import HTTP

/// What is remembered of a list's first page, or of the page a scan begins with, so that an unchanged list costs one short
/// request and no decoding.
///
/// It is made only after every row of the page has been dealt with and committed.
struct ListMemory: Sendable {
    /// The request with `If-None-Match`.
    let request: HTTPRequest
    let page: Int
    let entityTag: String
    let nextPage: Int?
    let smallestID: Int64?

    /// Whether the page is all there is of its list.
    var isWholeList: Bool { page == 1 && nextPage == nil }

    /// Nil when the page must be read in full each time: without an entity tag, or when the page is the last one and may
    /// be full. A row that goes to another page leaves such a page's content as it is, and so its entity tag.
    init?(_ page: PageMark, of list: ListRequest) {
        guard let entityTag = page.head.entityTag else { return nil }
        if page.head.nextPage == nil {
            guard let total = page.head.total, total < page.number * list.rowsPerPage else { return nil }
        }
        request = list.request(page: page.number, entityTag: entityTag)
        self.page = page.number
        self.entityTag = entityTag
        nextPage = page.head.nextPage
        smallestID = page.smallestID
    }

    /// A list of which only the first page is ever read.
    init(request: HTTPRequest, entityTag: String) {
        self.request = request
        self.entityTag = entityTag
        page = 1
        nextPage = nil
        smallestID = nil
    }

    /// What the header of an unchanged page means: what it does not repeat is as it was.
    func head(_ answered: PageHead) -> PageHead {
        PageHead(nextPage: answered.nextPage ?? nextPage, total: answered.total, entityTag: entityTag)
    }
}
