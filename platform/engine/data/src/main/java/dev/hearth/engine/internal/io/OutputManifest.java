package dev.hearth.engine.internal.io;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.spi.error.ErrorCode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
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

    private final Path directory;
    private final Map<String, Long> lengths;

    private OutputManifest(Path directory, Map<String, Long> lengths) {
        this.directory = directory;
        this.lengths = lengths;
    }

    /**
     * Writes a manifest to {@code file} and flushes it to disk by fsync. {@code lengths} has the length of each part
     * file by its name.
     */
    static void write(Path file, Map<String, Long> lengths) throws IOException {
        StringBuilder text = new StringBuilder(PARTS + lengths.size() + "\n");
        lengths.forEach(
                (name, length) -> text.append(name).append(' ').append(length).append('\n'));
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(text.toString().getBytes(UTF_8));
            out.getFD().sync();
        }
    }

    /** Reads the manifest of a directory. Empty if the directory has none. */
    public static Optional<OutputManifest> in(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            return Optional.of(new OutputManifest(directory, parse(Files.readAllLines(file))));
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
            Path part = directory.resolve(name);
            try {
                long found = Files.size(part);
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
