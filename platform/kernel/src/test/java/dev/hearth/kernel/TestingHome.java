package dev.hearth.kernel;

import dev.hearth.kernel.probe.ProbeActivator;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;

/** Installation built from the jars on the class path of the tests and from bundles that tests write. */
final class TestingHome {
    private static final List<String> LIBRARIES = List.of(
            "hearth-kernel-",
            "hearth-api-",
            "hearth-spi-",
            "org.apache.felix.framework-",
            "slf4j-api-",
            "logback-classic-",
            "logback-core-");
    private static final String IMPORTS = "org.osgi.framework,dev.hearth.api,dev.hearth.spi.application,"
            + "dev.hearth.spi.cluster,dev.hearth.spi.error,dev.hearth.spi.kernel,dev.hearth.spi.process,dev.hearth.spi.role,"
            + "dev.hearth.spi.settings,org.slf4j";

    final Path root;
    final Path temporary;

    TestingHome(Path root) throws IOException {
        this.root = root;
        for (String directory : List.of("lib", "bundles", "roles", "conf", "tmp")) {
            Files.createDirectories(root.resolve(directory));
        }
        temporary = root.resolve("tmp");
        for (String library : LIBRARIES) {
            Path jar = classPath(library);
            Files.copy(jar, root.resolve("lib").resolve(jar.getFileName()));
        }
        bundle("probe", IMPORTS, ProbeActivator.class.getName(), "", classes(ProbeActivator.class));
        role("probe", "bundles=probe");
        role("child", "bundles=probe");
        role("ordered", "bundles=probe", "orders=true");
    }

    void role(String name, String... lines) throws IOException {
        Files.write(root.resolve("roles").resolve(name + ".properties"), List.of(lines));
    }

    /** Writes a bundle; headers may be empty; {@code classes} are files below the root of class files. */
    void bundle(String name, String imports, String activator, String exports, List<Path> classes) throws IOException {
        bundle(name, imports, activator, exports, classes, Map.of());
    }

    void bundle(
            String name,
            String imports,
            String activator,
            String exports,
            List<Path> classes,
            Map<String, String> headers)
            throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Bundle-ManifestVersion", "2");
        attributes.putValue("Bundle-SymbolicName", name);
        attributes.putValue("Bundle-Version", "1.0.0");
        headers.forEach(attributes::putValue);
        if (!imports.isEmpty()) {
            attributes.putValue("Import-Package", imports);
        }
        if (!exports.isEmpty()) {
            attributes.putValue("Export-Package", exports);
        }
        if (!activator.isEmpty()) {
            attributes.putValue("Bundle-Activator", activator);
        }
        try (OutputStream out = Files.newOutputStream(root.resolve("bundles").resolve(name + "-1.0.0.jar"))) {
            writeJar(out, manifest, classes);
        }
    }

    static void writeJar(OutputStream out, Manifest manifest, List<Path> classes) throws IOException {
        Path classRoot = classRoot();
        try (JarOutputStream jar = new JarOutputStream(out, manifest)) {
            for (Path file : classes) {
                jar.putNextEntry(new ZipEntry(classRoot.relativize(file).toString()));
                Files.copy(file, jar);
                jar.closeEntry();
            }
        }
    }

    /** Class files of the package of {@code type}. */
    static List<Path> classes(Class<?> type) throws IOException {
        Path directory = classRoot().resolve(type.getPackageName().replace('.', '/'));
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".class"))
                    .sorted()
                    .toList();
        }
    }

    private static Path classRoot() throws IOException {
        try {
            return Path.of(TestingHome.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static Path classPath(String library) {
        String path = System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
        for (String element : path.split(File.pathSeparator, -1)) {
            Path file = Path.of(element);
            if (file.getFileName().toString().startsWith(library) && Files.isRegularFile(file)) {
                return file;
            }
        }
        throw new IllegalStateException("class path: no jar " + library + " in " + path);
    }

    /** Starts a process of this installation. */
    Process start(List<String> jvmOptions, String... arguments) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        if (Runtime.version().feature() >= 24) {
            command.add("--sun-misc-unsafe-memory-access=allow"); // as the scripts do
        }
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dfile.encoding=UTF-8"));
        command.add("-Djava.io.tmpdir=" + temporary);
        command.add("-Dhearth.home=" + root);
        command.addAll(jvmOptions);
        command.addAll(List.of("-cp", root.resolve("lib") + "/*", "dev.hearth.kernel.Main"));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).start();
    }

    /** Files that a process has left in its temporary directory. */
    List<Path> leftOversOf(ProcessHandle process) throws IOException {
        List<Path> found = new ArrayList<>();
        try (Stream<Path> users = Files.list(temporary)) {
            for (Path user : users.toList()) {
                try (Stream<Path> caches = Files.list(user)) {
                    caches.filter(cache -> cache.getFileName().toString().startsWith(process.pid() + "-"))
                            .forEach(found::add);
                }
            }
        }
        return found;
    }

    static String text(InputStream in) throws IOException {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
}
