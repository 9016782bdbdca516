package dev.hearth.kernel.internal.application;

import dev.hearth.kernel.internal.live.BundleUsage.Hold;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Bundle of a test that offers packages and resources to applications. */
final class TestingLender implements PackageOffers.Lender {
    final List<String> holders = new ArrayList<>();
    final List<String> asked = new ArrayList<>();
    Map<String, Path> files = Map.of();

    private final ClassLoader classes;
    private final String resources;

    TestingLender(ClassLoader classes, String resources) {
        this.classes = classes;
        this.resources = resources;
    }

    @Override
    public String name() {
        return "lender 1.0.0";
    }

    @Override
    public ClassLoader classes() {
        return classes;
    }

    @Override
    public ResourcePatterns resources() {
        return ResourcePatterns.parse(resources);
    }

    @Override
    public Map<String, Path> files(String application, Settings settings) {
        asked.add(application + " " + settings.find("hearth.x").orElse(""));
        return files;
    }

    @Override
    public Optional<Hold> take(String holder) {
        holders.add(holder);
        return Optional.of(() -> holders.remove(holder));
    }
}
