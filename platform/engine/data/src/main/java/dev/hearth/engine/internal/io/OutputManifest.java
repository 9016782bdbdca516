package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.storage.ApplicationStores;
import dev.hearth.spi.storage.FileName;
import dev.hearth.spi.storage.FileStore;
import dev.hearth.spi.storage.StoreInput;
import dev.hearth.spi.storage.StoreOutput;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Manifest of a job's output directory: the names and lengths of its part files, in a hidden file beside them. Readers
 * compare the manifest with the directory to detect missing parts. Directories that other systems wrote have no
 * manifest. Immutable.
 */
public final class OutputManifest {
    /** Name of the manifest. It begins with a dot, so that readers skip it as a hidden file. */
    static final String FILE = ".parts";

    private static final String PARTS = "parts "; // begins the first line, which states the number of parts

    private final FileName directory;
    private final FileStore store;
    private final Map<String, Long> lengths;

    private OutputManifest(FileName directory, FileStore store, Map<String, Long> lengths) {
        this.directory = directory;
        this.store = store;
        this.lengths = lengths;
    }

    /**
     * Writes a manifest to {@code file} and makes it durable. {@code lengths} has the length of each part file by its
     * name.
     */
    static void write(FileStore store, FileName file, Map<String, Long> lengths) throws IOException {
        StringBuilder text = new StringBuilder(PARTS + lengths.size() + "\n");
        lengths.forEach(
                (name, length) -> text.append(name).append(' ').append(length).append('\n'));
        StoreOutput out = store.create(file, true);
        try {
            out.write(text.toString().getBytes(UTF_8));
            out.close();
        } finally {
            out.discard();
        }
    }

    /** Reads the manifest of a directory. Empty if the directory has none. */
    public static Optional<OutputManifest> in(FileName directory, ApplicationStores stores) {
        FileName file = directory.child(FILE);
        FileStore store = stores.of(directory);
        try (StoreInput in = store.read(file, 0)) {
            List<String> lines = new String(in.readAllBytes(), UTF_8).lines().toList();
            return Optional.of(new OutputManifest(directory, store, parse(lines)));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | NumberFormatException failure) {
            throw ErrorCode.FILE_DAMAGED.failure(
                    "file " + file + ": cannot be read, " + failure
                            + " (expected: the list of the part files beside it);"
                            + " remove it to read the existing files, complete or not",
                    failure);
        }
    }

    private static Map<String, Long> parse(List<String> lines) throws IOException {
        Map<String, Long> lengths = new LinkedHashMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            int space = line.lastIndexOf(' ');
            if (space <= 0 || line.indexOf('/') >= 0) {
                throw new IOException("a line without the name of a part: " + line);
            }
            lengths.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
        }
        if (lines.isEmpty() || !lines.get(0).equals(PARTS + lengths.size())) {
            throw new IOException("its end is missing");
        }
        return lengths;
    }

    /** The names of the part files, in the order of their partitions. */
    public List<String> names() {
        return List.copyOf(lengths.keySet());
    }

    /**
     * Fails if a part file is missing, unless {@code ignoresMissing}. Also fails if a part file has another length than
     * the job wrote, unless {@code ignoresDamaged}.
     */
    public void check(boolean ignoresMissing, boolean ignoresDamaged) {
        lengths.forEach((name, length) -> {
            FileName part = directory.child(name);
            try {
                long found = store.look(part)
                        .orElseThrow(() -> new NoSuchFileException(part.toString()))
                        .length();
                if (found != length && !ignoresDamaged) {
                    throw ErrorCode.FILE_DAMAGED.failure("file " + part + ": has " + found + " bytes (expected: "
                            + length + ", as its job wrote it)");
                }
            } catch (NoSuchFileException gone) {
                if (!ignoresMissing) {
                    throw ErrorCode.PATH_MISSING.failure(
                            "file " + part + ": is missing (expected: " + lengths.size()
                                    + " parts, as the job wrote them)",
                            gone);
                }
            } catch (IOException failure) {
                throw ErrorCode.DISK_FAILED.failure(
                        "file " + part + ": cannot be inspected, " + failure + " (expected: a readable one)", failure);
            }
        });
    }
}
