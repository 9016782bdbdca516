package dev.hearth.itests.endtoend;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Enumeration;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Programs compiled against hearth-embedded alone, as a jar of their own and as a jar with all dependencies. */
record Programs(Path home, Path jar, Path fatJar) {
    static String embedded() {
        return Objects.requireNonNull(System.getProperty("hearth.embedded"));
    }

    static String slf4j() {
        return Objects.requireNonNull(System.getProperty("hearth.slf4j"));
    }

    /** The jars of JUnit on the class path of these tests. */
    static String junit() {
        return Stream.of(
                        "org.junit.jupiter.api.Test",
                        "org.junit.jupiter.engine.JupiterTestEngine",
                        "org.junit.platform.engine.TestEngine",
                        "org.junit.platform.commons.JUnitException",
                        "org.junit.platform.launcher.Launcher",
                        "org.opentest4j.AssertionFailedError")
                .map(Programs::jarOf)
                .collect(Collectors.joining(File.pathSeparator));
    }

    private static String jarOf(String name) {
        try {
            return Path.of(Class.forName(name)
                            .getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (ClassNotFoundException | URISyntaxException missing) {
            throw new AssertionError(name + ": not on the class path of the tests", missing);
        }
    }

    /** Compiles the programs of this module; {@code home} is the installation for bin/submit. */
    static Programs compile(Path home, Path scratch) throws IOException {
        Path sources = Path.of(Objects.requireNonNull(System.getProperty("hearth.programs")));
        Path jar = scratch.resolve("programs.jar");
        Path classes = compile(sources, String.join(File.pathSeparator, embedded(), junit()), scratch, jar);
        Path fat = scratch.resolve("fat.jar");
        pack(fat, classes, List.of(embedded(), slf4j()));
        return new Programs(home, jar, fat);
    }

    /** Compiles all sources below a directory and packs the classes; returns the directory of the classes. */
    static Path compile(Path sources, String libraries, Path scratch, Path jar) throws IOException {
        Path classes = Files.createDirectories(scratch.resolve("program classes"));
        List<String> arguments =
                new ArrayList<>(List.of("--release", "17", "-nowarn", "-Xlint:none", "-d", classes.toString()));
        arguments.addAll(List.of("-cp", libraries));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
        }
        int status = ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(new String[0]));
        if (status != 0) {
            throw new AssertionError("javac ended with " + status);
        }
        pack(jar, classes, List.of());
        return classes;
    }

    private static void pack(Path jar, Path classes, List<String> others) throws IOException {
        Set<String> names = new HashSet<>();
        try (OutputStream file = Files.newOutputStream(jar);
                JarOutputStream out = new JarOutputStream(file);
                Stream<Path> own = Files.walk(classes)) {
            for (Path path : own.filter(Files::isRegularFile).toList()) {
                String name = classes.relativize(path).toString();
                names.add(name);
                out.putNextEntry(new JarEntry(name));
                Files.copy(path, out);
            }
            for (String other : others) {
                unpack(other, names, out);
            }
        }
    }

    private static void unpack(String other, Set<String> names, JarOutputStream out) throws IOException {
        try (JarFile in = new JarFile(other)) {
            for (Enumeration<JarEntry> entries = in.entries(); entries.hasMoreElements(); ) {
                JarEntry entry = entries.nextElement();
                if (!entry.isDirectory() && names.add(entry.getName())) {
                    out.putNextEntry(new JarEntry(entry.getName()));
                    try (InputStream bytes = in.getInputStream(entry)) {
                        bytes.transferTo(out);
                    }
                }
            }
        }
    }
}
