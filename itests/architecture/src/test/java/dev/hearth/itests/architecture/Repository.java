package dev.hearth.itests.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** The source tree of the project: its sources and pages, without build output and hidden files. Read once. */
final class Repository {
    static final Path ROOT = locate();
    private static final String BUILT = "target";
    private static final String MAIN_SOURCES = "src/main/java";
    private static final List<Path> FILES = walk();

    private Repository() {}

    /** The path of {@code file} relative to the tree, with slashes. */
    static String name(Path file) {
        return ROOT.relativize(file).toString().replace('\\', '/');
    }

    static List<Path> javaFiles() {
        return FILES.stream().filter(file -> file.toString().endsWith(".java")).toList();
    }

    static List<Path> poms() {
        return FILES.stream().filter(file -> file.endsWith("pom.xml")).toList();
    }

    /** The directories of modules that have production code, in order. */
    static List<String> modulesWithMainSources() {
        return FILES.stream()
                .map(Repository::name)
                .filter(name -> name.endsWith(".java") && name.contains("/" + MAIN_SOURCES + "/"))
                .map(name -> name.substring(0, name.indexOf("/" + MAIN_SOURCES + "/")))
                .distinct()
                .toList();
    }

    static boolean hasMainSources(String module) {
        return modulesWithMainSources().contains(module);
    }

    /** The directories of production code that hold sources themselves: the packages. */
    static List<Path> mainPackages() {
        return javaFiles().stream()
                .filter(file -> name(file).contains("/" + MAIN_SOURCES + "/"))
                .map(Path::getParent)
                .distinct()
                .toList();
    }

    static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException failure) {
            throw new UncheckedIOException(name(file) + ": cannot be read", failure);
        }
    }

    private static Path locate() {
        Path start = Path.of("").toAbsolutePath();
        for (Path place = start; place != null; place = place.getParent()) {
            if (Files.isDirectory(place.resolve("platform/spi")) && Files.isRegularFile(place.resolve("pom.xml"))) {
                return place;
            }
        }
        throw new IllegalStateException(
                "repository: not found above " + start + " (expected: a directory with pom.xml and platform/spi)");
    }

    private static List<Path> walk() {
        List<Path> files = new ArrayList<>();
        try {
            Files.walkFileTree(ROOT, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
                    String name = directory.getFileName().toString();
                    boolean skipped = name.equals(BUILT) || (name.startsWith(".") && !directory.equals(ROOT));
                    return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                    files.add(file);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException failure) {
            throw new UncheckedIOException("repository: cannot be walked", failure);
        }
        Collections.sort(files);
        return List.copyOf(files);
    }
}
