package dev.hearth.spi.stream;

import dev.hearth.spi.settings.UserCache;
import dev.hearth.spi.time.Ticker;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Hashes of files of this machine, remembered between processes in one file, so that an unchanged file is read once. A
 * file counts as unchanged while its path, size, times of change and file key are the same. Each line of the file has a
 * hash, the state of a file and its path. Several processes may use it; the last one to write wins. Guarded by its own
 * lock; methods wait for disks.
 */
public final class ContentHashes {
    /** Maximum number of files remembered; the one that was hashed first is forgotten first. */
    private static final int FILES_MAX = 1_000;
    /** Maximum size of the file; a larger one is not of this class. */
    private static final long BYTES_MAX = 8L << 20;
    /** Age from which on a change of a file must alter its time of change, whatever clock the file system has. */
    private static final Duration SETTLED = Duration.ofSeconds(3);

    private static final int FIELDS = 3;

    private final Path store;
    private final Ticker ticker;
    private final Consumer<String> warnings;

    /** {@code warnings} receives a line if {@code store}, the file with the hashes, cannot be read or written. */
    public ContentHashes(Path store, Ticker ticker, Consumer<String> warnings) {
        this.store = store;
        this.ticker = ticker;
        this.warnings = warnings;
    }

    /** The file of a user, in the directory for caches that {@code environment} names or in {@code home}. */
    public static Path storeOf(Map<String, String> environment, Path home) {
        return UserCache.directory(environment, home).resolve("hashes");
    }

    /** Hash of a file that was hashed before and has not changed since; empty if there is none. */
    public synchronized Optional<ContentId> known(Path file) throws IOException {
        String[] line =
                lines().getOrDefault(file.toAbsolutePath().toString(), "").split(" ", FIELDS);
        return line.length == FIELDS && line[1].equals(state(file))
                ? Optional.of(new ContentId(line[0]))
                : Optional.empty();
    }

    /** Reads {@code file}, and remembers its hash unless it has changed just now. */
    public ContentId read(Path file) throws IOException {
        String before = state(file);
        ContentId content = ContentId.of(file);
        boolean settled = Files.getLastModifiedTime(file)
                .toInstant()
                .isBefore(ticker.wall().minus(SETTLED));
        if (settled && before.equals(state(file))) {
            change(file, content + " " + before + " " + file.toAbsolutePath());
        }
        return content;
    }

    /** Forgets the hash of {@code file}, which has turned out to be wrong. */
    public void forget(Path file) {
        change(file, "");
    }

    private synchronized void change(Path file, String line) {
        String key = file.toAbsolutePath().toString();
        if (key.indexOf('\n') >= 0) {
            return; // a line could not hold it
        }
        Map<String, String> lines = lines();
        lines.remove(key);
        if (!line.isEmpty()) {
            lines.put(key, line);
        }
        List<String> kept = List.copyOf(lines.values());
        try {
            Files.createDirectories(Objects.requireNonNull(store.getParent()));
            Path written = Files.createTempFile(store.getParent(), "hashes-", ".part");
            Files.write(written, kept.subList(Math.max(0, kept.size() - FILES_MAX), kept.size()));
            Files.move(written, store, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException unwritable) {
            warnings.accept("hashes of files in " + store + ": not written, " + unwritable
                    + " (expected: a directory that can be written to); files are read again each time");
        }
    }

    /** The lines of the store by the path of their file, oldest first; lines of another form are left out. */
    private Map<String, String> lines() {
        try {
            if (Files.size(store) <= BYTES_MAX) {
                return Files.readAllLines(store).stream()
                        .filter(line -> line.matches("[0-9a-f]{64} \\S+ .+"))
                        .collect(Collectors.toMap(
                                line -> line.split(" ", FIELDS)[2],
                                line -> line,
                                (first, last) -> last,
                                LinkedHashMap::new));
            }
        } catch (NoSuchFileException none) {
            return new LinkedHashMap<>();
        } catch (CharacterCodingException foreign) {
            warnings.accept("hashes of files in " + store + ": not text (expected: UTF-8); written anew");
        } catch (IOException unreadable) {
            warnings.accept("hashes of files in " + store + ": not read, " + unreadable
                    + " (expected: a file that can be read); files are read again");
        }
        return new LinkedHashMap<>();
    }

    private static String state(Path file) throws IOException {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
        String changed = unix ? nanos((FileTime) Files.getAttribute(file, "unix:ctime")) : "0";
        String key = String.valueOf(found.fileKey()).replace(" ", "");
        return found.size() + "-" + nanos(found.lastModifiedTime()) + "-" + changed + "-" + key;
    }

    private static String nanos(FileTime time) {
        return Long.toHexString(time.to(TimeUnit.NANOSECONDS));
    }
}
