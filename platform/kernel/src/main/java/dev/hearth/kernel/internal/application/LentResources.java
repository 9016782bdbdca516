package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.application.PackageOffers.Lender;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Resources that bundles lend to one application: files that they make for it ({@code ApplicationFiles}), and resources
 * of the bundles. Each bundle lends only what its header lists ({@link ResourcePatterns}). Filled before the
 * application starts, and only read later.
 */
final class LentResources {
    private final Map<String, URL> files = new LinkedHashMap<>();
    private final Map<ClassLoader, ResourcePatterns> bundles = new LinkedHashMap<>();

    /** Adds the resources of one bundle. Fails with {@code START_FAILED}, naming the bundle, if it lends invalid ones. */
    void add(Lender lender, String application, Settings settings) {
        String subject = "bundle " + lender.name() + " for application " + application + ": ";
        try {
            ResourcePatterns names = lender.resources();
            bundles.put(lender.classes(), names);
            for (Map.Entry<String, Path> file :
                    lender.files(application, settings).entrySet()) {
                if (!names.covers(file.getKey())) {
                    throw new IllegalArgumentException("makes the file '" + file.getKey() + "' (expected: a name in "
                            + ResourcePatterns.HEADER + ")");
                }
                files.putIfAbsent(
                        file.getKey(), file.getValue().toAbsolutePath().toUri().toURL());
            }
        } catch (IllegalArgumentException invalid) {
            throw ErrorCode.START_FAILED.failure(subject + invalid.getMessage(), invalid);
        } catch (MalformedURLException | RuntimeException | LinkageError failure) {
            throw ErrorCode.START_FAILED.failure(
                    subject + "its files for applications: " + failure + " (expected: no failure)", failure);
        }
    }

    /** Returns all lent resources named {@code name}, the files made for the application first. */
    List<URL> find(String name) throws IOException {
        Set<String> seen = new LinkedHashSet<>(); // URL.equals would ask the name service
        List<URL> found = new ArrayList<>();
        URL file = files.get(name);
        if (file != null) {
            found.add(file);
        }
        for (Map.Entry<ClassLoader, ResourcePatterns> bundle : bundles.entrySet()) {
            if (bundle.getValue().covers(name)) {
                for (URL url : Collections.list(bundle.getKey().getResources(name))) {
                    if (seen.add(url.toExternalForm())) {
                        found.add(url);
                    }
                }
            }
        }
        return found;
    }
}
