package dev.hearth.kernel.internal.deploy;

import dev.hearth.kernel.dropped.VersionActivator;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import org.osgi.framework.Constants;

/** Builder of a bundle for tests. */
public final class TestingBundle {
    private final Manifest manifest = new Manifest();
    private final Map<String, byte[]> files = new TreeMap<>();

    public TestingBundle(String name, String version) {
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        with(Constants.BUNDLE_MANIFESTVERSION, "2");
        with(Constants.BUNDLE_SYMBOLICNAME, name);
        with(Constants.BUNDLE_VERSION, version);
    }

    public TestingBundle with(String header, String value) {
        manifest.getMainAttributes().putValue(header, value);
        return this;
    }

    public TestingBundle without(String header) {
        manifest.getMainAttributes().remove(new Attributes.Name(header));
        return this;
    }

    public String name() {
        return manifest.getMainAttributes().getValue(Constants.BUNDLE_SYMBOLICNAME);
    }

    /** Adds a file, such as {@code OSGI-INF/component.xml}. */
    public TestingBundle file(String entry, String text) {
        return file(entry, text.getBytes(StandardCharsets.UTF_8));
    }

    public TestingBundle file(String entry, byte[] content) {
        files.put(entry, content);
        return this;
    }

    /** Creates a bundle with the activator that registers its version, or with another one. */
    public TestingBundle activated(Class<?> activator) {
        with(Constants.IMPORT_PACKAGE, "org.osgi.framework");
        return with(Constants.BUNDLE_ACTIVATOR, activator.getName());
    }

    /** Writes the jar atomically. */
    public void write(Path jar) throws IOException {
        Path part = jar.resolveSibling("." + jar.getFileName() + ".part");
        try (OutputStream file = Files.newOutputStream(part);
                JarOutputStream out = new JarOutputStream(file, manifest)) {
            String activator = manifest.getMainAttributes().getValue(Constants.BUNDLE_ACTIVATOR);
            if (activator != null) {
                String entry = activator.replace('.', '/') + ".class";
                out.putNextEntry(new ZipEntry(entry));
                try (InputStream in = Objects.requireNonNull(
                        VersionActivator.class.getClassLoader().getResourceAsStream(entry))) {
                    in.transferTo(out);
                }
                out.closeEntry();
            }
            for (Map.Entry<String, byte[]> added : files.entrySet()) {
                out.putNextEntry(new ZipEntry(added.getKey()));
                out.write(added.getValue());
                out.closeEntry();
            }
        }
        Files.move(part, jar, StandardCopyOption.ATOMIC_MOVE);
    }
}
