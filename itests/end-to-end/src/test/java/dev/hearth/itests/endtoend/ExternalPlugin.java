package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A bundle of {@code itests/external-plugin}, compiled against only the api and spi jars of an installation. */
final class ExternalPlugin {
    private static final String FIRST_VERSION = "1.0";

    private final Path project;
    private final Path work;

    /** {@code name} is that of the bundle's directory; {@code scratch} receives the build output. */
    ExternalPlugin(String name, Path scratch) {
        project = Path.of(Objects.requireNonNull(System.getProperty("hearth.external")))
                .resolve(name);
        work = scratch.resolve("external-" + name);
    }

    /** Builds the bundle from its project files, with {@code version} in place of 1.0. */
    Path build(Installation installation, String version) throws IOException {
        Path own = Files.createDirectories(work.resolve(version));
        List<Path> sources = new ArrayList<>();
        for (Path source : files("src", ".java")) {
            Path copy = own.resolve(project.relativize(source).toString());
            Files.createDirectories(copy.getParent());
            Files.writeString(
                    copy, Files.readString(source).replace("\"example-" + FIRST_VERSION, "\"example-" + version));
            sources.add(copy);
        }
        Path classes = Files.createDirectories(own.resolve("classes"));
        compile(sources, classes, installation.home().resolve("lib"));
        Path jar = own.resolve("example-" + project.getFileName() + ".jar");
        String manifest = Files.readString(project.resolve("META-INF/MANIFEST.MF"))
                .replace("Bundle-Version: " + FIRST_VERSION, "Bundle-Version: " + version);
        try (InputStream in = new ByteArrayInputStream(manifest.getBytes(StandardCharsets.UTF_8));
                OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file, new Manifest(in))) {
            add(classes, ".class", classes, out);
            add(project.resolve("OSGI-INF"), "", project, out);
            add(project.resolve("src"), ".txt", project.resolve("src"), out);
            Path services = project.resolve("META-INF/services");
            if (Files.isDirectory(services)) {
                add(services, "", project, out);
            }
        }
        return jar;
    }

    /** Installs a jar into a directory atomically: copies it under a temporary name, then renames it. */
    static void drop(Path jar, Path directory) throws IOException {
        replace(jar, directory.resolve(jar.getFileName()));
    }

    /** Replaces a jar atomically. */
    static void replace(Path jar, Path target) throws IOException {
        Path part = target.resolveSibling(target.getFileName() + ".part");
        Files.copy(jar, part);
        Files.move(part, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Copies the bundle {@code jar} under another version. */
    static Path withVersion(Path jar, String version, Path copy) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            Manifest manifest = new Manifest(file.getManifest());
            manifest.getMainAttributes().putValue("Bundle-Version", version);
            try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(copy), manifest)) {
                for (ZipEntry entry : file.stream()
                        .filter(each -> !each.getName().equals(JarFile.MANIFEST_NAME))
                        .toList()) {
                    out.putNextEntry(new ZipEntry(entry.getName()));
                    try (InputStream in = file.getInputStream(entry)) {
                        in.transferTo(out);
                    }
                    out.closeEntry();
                }
            }
        }
        return copy;
    }

    private static void compile(List<Path> sources, Path classes, Path lib) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter words = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                Stream<Path> jars = Files.list(lib)) {
            String classPath = String.join(
                    File.pathSeparator,
                    jars.map(Path::toString)
                            .filter(jar -> jar.contains("/hearth-api-") || jar.contains("/hearth-spi-"))
                            .toList());
            List<String> options =
                    List.of("--release", "17", "-proc:none", "-d", classes.toString(), "-classpath", classPath);
            boolean compiled = compiler.getTask(
                            words, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertEquals("true", compiled + words.toString());
        }
    }

    private List<Path> files(String directory, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(project.resolve(directory))) {
            return files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
        }
    }

    private static void add(Path directory, String suffix, Path root, JarOutputStream out) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : (Iterable<Path>) files.filter(Files::isRegularFile)
                    .filter(found -> found.toString().endsWith(suffix))
                    .sorted()::iterator) {
                out.putNextEntry(new ZipEntry(root.relativize(file).toString()));
                Files.copy(file, out);
                out.closeEntry();
            }
        }
    }
}
