package dev.hearth.kernel.internal.boot;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import org.osgi.framework.Constants;
import org.slf4j.Logger;

/**
 * Packages of the class path that the OSGi framework exports to bundles. The manifests of the jars api, spi and slf4j
 * list these packages.
 */
final class SystemPackages {
    private static final List<Class<?>> EXPORTERS = List.of(HearthException.class, ErrorCode.class, Logger.class);

    private SystemPackages() {}

    /** Returns the value of the framework property {@code org.osgi.framework.system.packages.extra}. */
    static String exported() {
        List<String> exports = new ArrayList<>();
        for (Class<?> exporter : EXPORTERS) {
            CodeSource source = exporter.getProtectionDomain().getCodeSource();
            try {
                Path place = Path.of(source.getLocation().toURI());
                String export = manifest(place).getMainAttributes().getValue(Constants.EXPORT_PACKAGE);
                if (export == null) {
                    throw ErrorCode.START_FAILED.failure(
                            place + ": exports nothing (expected: a bundle's manifest); is the installation complete?");
                }
                exports.add(export);
            } catch (IOException | URISyntaxException e) {
                throw ErrorCode.START_FAILED.failure(
                        "manifest of " + source + ": " + e + " (expected: a readable jar)", e);
            }
        }
        return String.join(",", exports);
    }

    /** Returns the bundle version in the manifest of the jar that contains {@code type}. */
    static String version(Class<?> type) throws IOException {
        try {
            Path place = Path.of(
                    type.getProtectionDomain().getCodeSource().getLocation().toURI());
            String version = manifest(place).getMainAttributes().getValue(Constants.BUNDLE_VERSION);
            return version == null ? "unknown" : version;
        } catch (URISyntaxException e) {
            throw new IOException(e);
        }
    }

    private static Manifest manifest(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (InputStream in = Files.newInputStream(place.resolve(JarFile.MANIFEST_NAME))) {
                return new Manifest(in);
            }
        }
        try (JarFile jar = new JarFile(place.toFile())) {
            Manifest manifest = jar.getManifest();
            return manifest == null ? new Manifest() : manifest;
        }
    }
}
