package dev.hearth.kernel.internal.process;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;

/** Size of a directory tree in bytes, and the time of its last change. Follows no links. Immutable. */
record TreeSurvey(Path root, long bytes, FileTime changed) {
    static TreeSurvey of(Path root) throws IOException {
        Visitor visitor = new Visitor();
        Files.walkFileTree(root, visitor);
        return new TreeSurvey(root, visitor.bytes, visitor.changed);
    }

    private static final class Visitor extends SimpleFileVisitor<Path> {
        private long bytes;
        private FileTime changed = FileTime.fromMillis(0);

        @Override
        public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
            return note(attributes);
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            bytes += attributes.size();
            return note(attributes);
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
            if (failure instanceof NoSuchFileException) { // removed meanwhile
                return FileVisitResult.CONTINUE;
            }
            throw failure;
        }

        private FileVisitResult note(BasicFileAttributes attributes) {
            FileTime time = attributes.lastModifiedTime();
            changed = time.compareTo(changed) > 0 ? time : changed;
            return FileVisitResult.CONTINUE;
        }
    }
}
