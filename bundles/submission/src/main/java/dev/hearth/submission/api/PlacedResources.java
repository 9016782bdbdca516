package dev.hearth.submission.api;

import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.application.ClassPathEntries;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Secrets;
import dev.hearth.spi.settings.SettingKey;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Resources of an application as paths on the machine that runs its driver. Patterns are replaced by the files for which
 * they stand, and files of other machines are fetched. Immutable.
 *
 * @param plan the plan with the main class, and with local paths in {@code hearth.files} and {@code hearth.archives}
 * @param classPath the entries of the driver's own class path
 * @param jars the application jar, if there is one, then the further jars and those of packages, none of them twice
 */
record PlacedResources(SubmissionPlan plan, List<Path> classPath, List<Path> jars) {
    private static final Logger LOG = LoggerFactory.getLogger(PlacedResources.class);

    /**
     * Places all resources of {@code plan}, which may block. {@code packages} are the jars of its packages, which come
     * last. Fails as {@link ResourceFetcher#fetch} does.
     */
    static PlacedResources of(SubmissionPlan plan, ResourceFetcher fetcher, List<Path> packages) {
        Optional<Path> application =
                plan.applicationJar().map(jar -> paths(jar, fetcher).get(0));
        List<Path> jars = new ArrayList<>();
        application.ifPresent(jars::add);
        for (SubmissionResource jar : plan.resources(Kind.JAR)) {
            addNew(paths(jar, fetcher), jars);
        }
        addNew(packages, jars);
        String mainClass = plan.mainClass().isEmpty()
                ? application
                        .flatMap(MainClassHeader::read)
                        .orElseThrow(() -> noMainClass(plan.applicationJar()
                                .map(jar -> Secrets.shownAddress(jar.toString()))
                                .orElse("any jar")))
                : plan.mainClass();
        Settings settings = plan.settings();
        settings = with(settings, ApplicationSettings.FILES, plan.resources(Kind.FILE), fetcher);
        settings = with(settings, ApplicationSettings.ARCHIVES, plan.resources(Kind.ARCHIVE), fetcher);
        SubmissionPlan placed =
                plan.but().mainClass(mainClass).settings(settings).build();
        return new PlacedResources(placed, classPath(plan, fetcher), List.copyOf(jars));
    }

    /** The failure of a submission without a main class; {@code jar} is the place where it was sought. */
    static RuntimeException noMainClass(String jar) {
        return ErrorCode.BAD_ARGUMENT.failure("main class: none named in the manifest of " + jar
                + " (expected: a Main-Class entry, or --class); name it with --class");
    }

    private static List<Path> paths(SubmissionResource resource, ResourceFetcher fetcher) {
        if (!resource.isPath()) {
            return List.of(fetcher.fetch(resource));
        }
        String subject = ResourceSchemes.subject(resource);
        List<Path> files = FilePatterns.files(subject, resource.path());
        if (files.isEmpty()) {
            throw ErrorCode.PATH_MISSING.failure(
                    subject + ": no file matches (expected: one or more on the machine of the driver)");
        }
        if (files.size() > 1
                && (resource.kind() == Kind.APPLICATION_JAR || resource.alias().isPresent())) {
            throw severalMatches(subject, files);
        }
        return files;
    }

    /** The failure of an address that must stand for one file. */
    static RuntimeException severalMatches(String subject, List<Path> files) {
        return ErrorCode.BAD_ARGUMENT.failure(subject + ": resolves ambiguously to multiple files, " + files
                + " (expected: one file for one name); name one of them, or leave the alias out");
    }

    private static void addNew(List<Path> paths, List<Path> jars) {
        paths.stream()
                .filter(path -> jars.stream().noneMatch(known -> isSame(known, path)))
                .forEach(jars::add);
    }

    /** Whether two jars have the same content. A missing jar is like no other; its reader reports it. */
    private static boolean isSame(Path one, Path other) {
        try {
            return one.equals(other)
                    || (Files.isRegularFile(one)
                            && Files.isRegularFile(other)
                            && Files.size(one) == Files.size(other)
                            && Files.mismatch(one, other) < 0);
        } catch (IOException unreadable) {
            LOG.debug("jars {} and {}: cannot be compared", one, other, unreadable);
            return false;
        }
    }

    private static Settings with(
            Settings settings,
            SettingKey<List<String>> key,
            List<SubmissionResource> resources,
            ResourceFetcher fetcher) {
        if (resources.isEmpty()) {
            return settings;
        }
        List<String> entries = new ArrayList<>();
        for (SubmissionResource resource : resources) {
            if (resource.scheme().equals(SubmissionResource.LOCAL)) {
                entries.add(resource.toString());
                continue;
            }
            for (Path path : paths(resource, fetcher)) {
                String name = resource.alias().orElse(path.getFileName().toString());
                if (name.contains(",")) {
                    throw ErrorCode.BAD_ARGUMENT.failure(key.name() + ": '" + resource + "': name '" + name
                            + "' (expected: a name without a comma); give it another name with #");
                }
                // a comma would end the entry
                entries.add(path.toUri().toString().replace(",", "%2C") + "#" + name);
            }
        }
        return settings.with(settings.origin(key.name()).orElse("submission"), key.name(), String.join(",", entries));
    }

    private static List<Path> classPath(SubmissionPlan plan, ResourceFetcher fetcher) {
        List<String> entries = new ArrayList<>();
        String text = new SettingsReader(plan.settings()).read(ApplicationSettings.DRIVER_CLASS_PATH);
        for (String entry : ClassPathEntries.split(text)) {
            entries.add(
                    ClassPathEntries.isAddress(entry)
                            ? fetcher.fetch(SubmissionResource.of(Kind.CLASS_PATH, entry))
                                    .toString()
                            : entry);
        }
        return ClassPathEntries.existing(String.join(File.pathSeparator, entries), LOG::warn);
    }
}
