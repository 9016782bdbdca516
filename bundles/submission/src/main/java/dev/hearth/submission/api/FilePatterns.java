package dev.hearth.submission.api;

import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.PatternSyntaxException;

/**
 * Patterns that stand for several files, such as {@code /opt/lib/*.jar}. Each part of a path may contain {@code *},
 * {@code ?}, {@code [a-z]} and {@code {a,b}}. As in a shell, a file whose name begins with a dot only matches a pattern
 * that begins with one. A path that exists stands for itself. Stateless.
 */
final class FilePatterns {
    /** Maximum number of files for which one pattern may stand. */
    private static final int MATCHES_MAX = 10_000;

    private static final String SPECIAL = "*?[{";

    private FilePatterns() {}

    /** Whether {@code path} is a pattern and not the path of a file. */
    static boolean isPattern(Path path) {
        return path.toString().chars().anyMatch(c -> SPECIAL.indexOf(c) >= 0)
                && !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
    }

    /**
     * Returns the files for which an absolute path stands, in the order of their names; the path itself if it is no
     * pattern. Empty if no file matches. Fails with {@code BAD_ARGUMENT}, beginning with {@code subject}, if the pattern
     * is malformed or stands for too many files.
     */
    static List<Path> files(String subject, Path path) {
        if (!isPattern(path)) {
            return List.of(path);
        }
        List<Path> found = List.of(path.getRoot());
        try {
            for (Path part : path) {
                List<Path> next = new ArrayList<>();
                for (Path directory : found) {
                    addMatches(subject, directory, part.toString(), next);
                }
                found = next;
            }
        } catch (PatternSyntaxException malformed) {
            throw ErrorCode.BAD_ARGUMENT.failure(
                    subject + ": " + malformed.getDescription() + " (expected: a pattern such as /opt/lib/*.jar)",
                    malformed);
        } catch (IOException failure) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": " + failure + " (expected: directories that can be read)", failure);
        }
        return found;
    }

    private static void addMatches(String subject, Path directory, String part, List<Path> to) throws IOException {
        Path literal = directory.resolve(part);
        if (part.chars().noneMatch(c -> SPECIAL.indexOf(c) >= 0) || Files.exists(literal, LinkOption.NOFOLLOW_LINKS)) {
            if (Files.exists(literal, LinkOption.NOFOLLOW_LINKS)) {
                to.add(literal);
            }
            return;
        }
        if (!Files.isDirectory(directory)) {
            return;
        }
        PathMatcher matcher = FileSystems.getDefault().getPathMatcher("glob:" + part);
        List<Path> matches = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            for (Path entry : entries) {
                Path name = entry.getFileName();
                if (matcher.matches(name)
                        && (part.startsWith(".") || !name.toString().startsWith("."))) {
                    matches.add(entry);
                }
                if (to.size() + matches.size() > MATCHES_MAX) {
                    throw ErrorCode.BAD_ARGUMENT.failure(subject + ": more than " + MATCHES_MAX
                            + " files (expected: at most that many); pack them into an archive");
                }
            }
        }
        matches.sort(null);
        to.addAll(matches);
    }
}
