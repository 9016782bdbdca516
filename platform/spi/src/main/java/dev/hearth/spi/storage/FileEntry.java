package dev.hearth.spi.storage;

/**
 * File or directory as a store has found it. {@code length} is its size in bytes. {@code changedMillis} is the time of
 * its last change in milliseconds since 1970, or 0 if unknown. {@code blockBytes} is the size of the blocks in which
 * the storage keeps the file, or 0 if it has none. {@code readable} is false if this process is known to lack the
 * permission to read. Immutable.
 */
public record FileEntry(FileName name, Kind kind, long length, long changedMillis, long blockBytes, boolean readable) {
    /** Kind of an entry. */
    public enum Kind {
        FILE,
        DIRECTORY,
        /** Something else, such as a device. */
        OTHER,
        /** Entry of a listing without a file: a link without target, or a file that has vanished. */
        MISSING
    }

    /** A readable file. */
    public static FileEntry file(FileName name, long length, long changedMillis, long blockBytes) {
        return new FileEntry(name, Kind.FILE, length, changedMillis, blockBytes, true);
    }

    /** A readable directory. */
    public static FileEntry directory(FileName name, long changedMillis) {
        return new FileEntry(name, Kind.DIRECTORY, 0, changedMillis, 0, true);
    }

    public boolean isDirectory() {
        return kind == Kind.DIRECTORY;
    }

    public boolean isFile() {
        return kind == Kind.FILE;
    }
}
