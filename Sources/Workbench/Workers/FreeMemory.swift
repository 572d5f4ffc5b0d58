import CMalloc

/// What a world that is over leaves in the process.
enum FreeMemory {
    /// Less than so much is not worth the page faults of the next world.
    private static let worthwhile = 32 << 20

    /// Gives memory that is free, and lies between what is not, back to the system (malloc_trim(3)): what is judged is not put beside it.
    static func giveBack() {
        guard mallinfo2().fordblks >= worthwhile else { return }
        malloc_trim(0)
    }
}
