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
 * The parts that a job published into a directory, by name with their lengths, as a hidden file beside them tells: without it nobody
 * would miss the last ones. Directories of others have none. Immutable.
 */
public final class OutputManifest {
    /** Begins with a point, so that nobody takes it for data. */
    static final String FILE = ".parts";

    private static final String PARTS = "parts "; // then how many, in the first line

    private final Path directory;
    private final Map<String, Long> lengths;

    private OutputManifest(Path directory, Map<String, Long> lengths) {
        this.directory = directory;
        this.lengths = lengths;
    }

    /** Writes a list down, on the disk when this returns. */
    static void write(Path file, Map<String, Long> lengths) throws IOException {
        StringBuilder text = new StringBuilder(PARTS + lengths.size() + "\n");
        lengths.forEach(
                (name, length) -> text.append(name).append(' ').append(length).append('\n'));
        try (FileOutputStream out = new FileOutputStream(file.toFile())) {
            out.write(text.toString().getBytes(UTF_8));
            out.getFD().sync();
        }
    }

    /** What was written down in a directory, if anything was. */
    public static Optional<OutputManifest> in(Path directory) {
        Path file = directory.resolve(FILE);
        try {
            return Optional.of(new OutputManifest(directory, parse(Files.readAllLines(file))));
        } catch (NoSuchFileException none) {
            return Optional.empty();
        } catch (IOException | NumberFormatException failure) {
            throw ErrorCode.FILE_DAMAGED.failure(
                    "file " + file + ": cannot be read, " + failure + " (expected: the list of the parts beside it);"
                            + " remove it to read what is there, whole or not",
                    failure);
        }
    }

    private static Map<String, Long> parse(List<String> lines) throws IOException {
        Map<String, Long> lengths = new LinkedHashMap<>();
        for (String line : lines.subList(Math.min(1, lines.size()), lines.size())) {
            int space = line.lastIndexOf(' ');
            if (space <= 0 || line.indexOf('/') >= 0) {
                throw new IOException("a line that names no part: " + line);
            }
            lengths.put(line.substring(0, space), Long.parseLong(line.substring(space + 1)));
        }
        if (lines.isEmpty() || !lines.get(0).equals(PARTS + lengths.size())) {
            throw new IOException("it is cut short");
        }
        return lengths;
    }

    /** The names, by partition. */
    public List<String> names() {
        return List.copyOf(lengths.keySet());
    }

    /** Refuses a directory in which a part is missing, or is as long as none that was written; either unless told to ignore it. */
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
                            "file " + part + ": is gone (expected: " + lengths.size()
                                    + " parts, as the job wrote them)",
                            gone);
                }
            } catch (IOException failure) {
                throw ErrorCode.DISK_FAILED.failure(
                        "file " + part + ": cannot be looked at, " + failure + " (expected: a readable one)", failure);
            }
        });
    }
}
