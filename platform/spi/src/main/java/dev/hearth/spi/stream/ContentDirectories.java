package dev.hearth.spi.stream;

import dev.hearth.spi.error.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Directories of this machine with files that a cluster manager has put there for one process. The name of a file begins
 * with the hash of its bytes, for example {@code <sha256>.jar}. A process searches them before it fetches a content
 * from its driver.
 * <p>A file is used only if its bytes have the hash; they are read once. Any thread may call; methods wait for disks.
 */
public final class ContentDirectories {
    /** Maximum number of directories. */
    private static final int DIRECTORIES_MAX = 64;

    private final List<Path> directories;
    private final Consumer<String> warnings;
    private final Set<Path> verified = new HashSet<>(); // guarded by this

    /** {@code warnings} receives a line about each file that is not used and each directory that cannot be read. */
    public ContentDirectories(List<Path> directories, Consumer<String> warnings) {
        this.directories = List.copyOf(directories);
        this.warnings = warnings;
    }

    /** No directories. */
    public static ContentDirectories none() {
        return new ContentDirectories(List.of(), warning -> {});
    }

    /** Value of the launch order that names {@code directories}; paths on the machine of the process. */
    public static String order(List<Path> directories) {
        return directories.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Directories that the value of a launch order, {@code key}, names; relative paths start at the working directory.
     * Fails with {@code BAD_ARGUMENT} if there are too many.
     */
    public static List<Path> ofOrder(String key, String value) {
        List<Path> directories = Stream.of(value.split(File.pathSeparator, -1))
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .map(Path::of)
                .toList();
        if (directories.size() > DIRECTORIES_MAX) {
            throw ErrorCode.BAD_ARGUMENT.failure("start parameter " + key + ": " + directories.size()
                    + " directories (expected: at most " + DIRECTORIES_MAX + ")");
        }
        return directories;
    }

    /** Returns the first file whose bytes have the hash {@code content}; empty if there is none. */
    public synchronized Optional<Path> find(ContentId content) {
        for (Path directory : directories) {
            for (Path file : named(directory, content)) {
                if (verified.contains(file) || isVerified(file, content)) {
                    return Optional.of(file);
                }
            }
        }
        return Optional.empty();
    }

    private List<Path> named(Path directory, ContentId content) {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, content.sha256() + "*")) {
            for (Path file : found) {
                if (Files.isRegularFile(file)) {
                    files.add(file.toAbsolutePath().normalize());
                }
            }
        } catch (NoSuchFileException | NotDirectoryException missing) {
            warnings.accept("directory of contents " + directory
                    + ": missing (expected: a directory on this machine); its contents come from the driver");
        } catch (IOException unreadable) {
            warnings.accept("directory of contents " + directory + ": " + unreadable
                    + " (expected: a directory that can be read); its contents come from the driver");
        }
        files.sort(null);
        return files;
    }

    private boolean isVerified(Path file, ContentId content) {
        try {
            ContentId found = ContentId.of(file);
            if (found.equals(content)) {
                verified.add(file);
                return true;
            }
            warnings.accept("file " + file + ": its bytes have the hash " + found
                    + " (expected: that of its name); it is not used");
        } catch (IOException unreadable) {
            warnings.accept(
                    "file " + file + ": " + unreadable + " (expected: a file that can be read); it is not used");
        }
        return false;
    }

    @Override
    public String toString() {
        return directories.toString();
    }
}
