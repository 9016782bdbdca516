package dev.hearth.engine.internal.disk;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/**
 * Deletes directories recursively without following links. Continues after a failure, and reports the first failure at
 * the end. Stateless.
 */
public final class DirectoryTrees {
    private DirectoryTrees() {}

    public static void delete(Path directory) throws IOException {
        Deletion deletion = new Deletion();
        Files.walkFileTree(directory, deletion);
        if (deletion.first != null) {
            throw deletion.first;
        }
    }

    private static final class Deletion extends SimpleFileVisitor<Path> {
        private @Nullable IOException first;

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            return delete(file);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) {
            // a file that cannot be visited is deleted, too; a failure to do so is recorded by delete
            return delete(file);
        }

        @Override
        public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure) {
            return delete(directory);
        }

        private FileVisitResult delete(Path path) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException failure) {
                first = first == null ? failure : first;
            }
            return FileVisitResult.CONTINUE;
        }
    }
}
