package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

/** A jar that a test compiles from the sources in {@code /user}. */
final class UserJar {
    private final Path work;
    private final List<String> classPath = new ArrayList<>();
    private final Manifest manifest = new Manifest();
    private final Map<String, String> texts = new TreeMap<>();
    private final List<String> sources = new ArrayList<>();
    private final Map<String, String> resources = new TreeMap<>();

    /** {@code work} is a directory for this jar alone. */
    UserJar(Path work) {
        this.work = work;
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    }

    /** Adds libraries of the installation, by prefixes of their names. */
    UserJar against(Installation installation, String... prefixes) throws IOException {
        for (String prefix : prefixes) {
            try (Stream<Path> files = Files.list(installation.home().resolve("lib"))) {
                List<Path> found = files.filter(
                                file -> file.getFileName().toString().startsWith(prefix))
                        .toList();
                assertEquals(1, found.size(), prefix);
                classPath.add(found.get(0).toString());
            }
        }
        return this;
    }

    /** Adds jars, or lists of jars, to the compile class path. */
    UserJar against(String... jars) {
        classPath.addAll(List.of(jars));
        return this;
    }

    UserJar source(String name) {
        sources.add(name);
        return this;
    }

    /** Replaces {@code @name@} by {@code text} in all sources. */
    UserJar text(String name, String text) {
        texts.put("@" + name + "@", text);
        return this;
    }

    UserJar header(String name, String value) {
        manifest.getMainAttributes().putValue(name, value);
        return this;
    }

    UserJar resource(String entry, String text) {
        resources.put(entry, text);
        return this;
    }

    /** Compiles the sources and replaces the jar atomically. */
    Path write(Path jar) throws IOException {
        Path classes = compiled();
        Path part = work.resolve("part.jar");
        try (OutputStream file = Files.newOutputStream(part);
                JarOutputStream out = new JarOutputStream(file, manifest);
                Stream<Path> files = Files.walk(classes)) {
            for (Path each : files.filter(Files::isRegularFile).sorted().toList()) {
                out.putNextEntry(new JarEntry(classes.relativize(each).toString()));
                Files.copy(each, out);
                out.closeEntry();
            }
            for (Map.Entry<String, String> resource : resources.entrySet()) {
                out.putNextEntry(new JarEntry(resource.getKey()));
                out.write(resource.getValue().getBytes(StandardCharsets.UTF_8));
                out.closeEntry();
            }
        }
        ExternalPlugin.replace(part, jar);
        return jar;
    }

    private Path compiled() throws IOException {
        Path classes = Files.createDirectories(work.resolve("classes"));
        List<String> options =
                new ArrayList<>(List.of("-d", classes.toString(), "-proc:none", "-cp", String.join(":", classPath)));
        for (String name : sources) {
            Path source = work.resolve(name + ".java");
            try (InputStream in =
                    Objects.requireNonNull(UserJar.class.getResourceAsStream("/user/" + name + ".java.txt"), name)) {
                String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                for (Map.Entry<String, String> each : texts.entrySet()) {
                    text = text.replace(each.getKey(), each.getValue());
                }
                Files.writeString(source, text);
            }
            options.add(source.toString());
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        assertEquals(0, compiler.run(null, null, null, options.toArray(String[]::new)), "compilation of " + sources);
        return classes;
    }
}
