package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** Deletion of a directory with all that is in it. Symbolic links are deleted and not followed. Stateless. */
public final class TreeDeletion extends SimpleFileVisitor<Path> {
    private TreeDeletion() {}

    /** Deletes {@code directory}, or the file of that name. Fails with {@code NoSuchFileException} if there is none. */
    public static void of(Path directory) throws IOException {
        Files.walkFileTree(directory, new TreeDeletion());
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
        Files.deleteIfExists(file);
        return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) throws IOException {
        Files.deleteIfExists(directory);
        return FileVisitResult.CONTINUE;
    }
}
