package dev.hearth.httpfs.internal;

import dev.hearth.spi.stream.ContentId;
import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Optional;
import java.util.Properties;
import java.util.UUID;

/**
 * Copy of a file in the cache. Its entry, a file of properties, names the file with its bytes and says how to recognise
 * it. The time of change of the entry is that of the last use. Immutable.
 */
record CachedCopy(
        Path entry, Path file, long length, long changedMillis, HttpTransfer.Copy copy, Optional<ContentId> content) {
    static final String ENTRY = ".entry";
    static final String DATA = ".data";
    private static final String FILE = "file";
    private static final String LENGTH = "length";
    private static final String MILLIS = "millis";
    private static final String TAG = "tag";
    private static final String CHANGED = "changed";
    private static final String SHA_256 = "sha256";

    /** The copy with this key; empty if there is none, or if its file is not as it was written. */
    static Optional<CachedCopy> read(Path root, String key) {
        Path entry = root.resolve(key + ENTRY);
        Properties stored = new Properties();
        try (Reader in = Files.newBufferedReader(entry)) {
            stored.load(in);
            Path file = root.resolve(Path.of(stored.getProperty(FILE, "none")).getFileName());
            String sha256 = stored.getProperty(SHA_256, "");
            CachedCopy copy = new CachedCopy(
                    entry,
                    file,
                    Long.parseLong(stored.getProperty(LENGTH, "")),
                    Long.parseLong(stored.getProperty(MILLIS, "")),
                    new HttpTransfer.Copy(stored.getProperty(TAG, ""), stored.getProperty(CHANGED, "")),
                    sha256.isEmpty() ? Optional.empty() : Optional.of(new ContentId(sha256)));
            return copy.isWhole() ? Optional.of(copy) : Optional.empty();
        } catch (IOException | IllegalArgumentException unusable) { // missing, or damaged: it is fetched again
            return Optional.empty();
        }
    }

    /** Makes a complete part the copy with this key. */
    static CachedCopy take(
            Path root, String key, PartFile part, HttpTransfer.Copy copy, Optional<ContentId> content, Instant now)
            throws IOException {
        Optional<CachedCopy> before = read(root, key);
        Path file = root.resolve(key + "-" + UUID.randomUUID() + DATA);
        part.moveTo(file);
        CachedCopy taken = new CachedCopy(
                root.resolve(key + ENTRY),
                file,
                Files.size(file),
                Files.getLastModifiedTime(file).toMillis(),
                copy,
                content);
        try {
            taken.write();
            taken.use(now);
        } catch (IOException failure) {
            Files.deleteIfExists(file); // no entry names it, and it would keep the disk full
            throw part.unwritable(failure);
        }
        if (before.isPresent()) { // another process may be about to read it: it is swept later
            Files.setLastModifiedTime(before.get().file(), FileTime.from(now));
        }
        return taken;
    }

    private void write() throws IOException {
        Properties stored = new Properties();
        stored.setProperty(FILE, file.getFileName().toString());
        stored.setProperty(LENGTH, String.valueOf(length));
        stored.setProperty(MILLIS, String.valueOf(changedMillis));
        stored.setProperty(TAG, copy.tag());
        stored.setProperty(CHANGED, copy.changed());
        stored.setProperty(SHA_256, content.map(ContentId::sha256).orElse(""));
        StringWriter text = new StringWriter();
        stored.store(text, null);
        Path temporary = entry.resolveSibling(entry.getFileName() + "-" + UUID.randomUUID() + CacheDirectory.PART);
        try {
            Files.writeString(temporary, text.toString());
            Files.move(temporary, entry, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } finally {
            Files.deleteIfExists(temporary);
        }
    }

    /** Notes a use, so that the copy is not among the first to be removed. */
    void use(Instant now) throws IOException {
        Files.setLastModifiedTime(entry, FileTime.from(now));
    }

    /** Whether the file is as it was written. */
    boolean isWhole() throws IOException {
        return Files.isRegularFile(file)
                && Files.size(file) == length
                && Files.getLastModifiedTime(file).toMillis() == changedMillis;
    }
}
