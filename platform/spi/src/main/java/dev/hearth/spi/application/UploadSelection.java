package dev.hearth.spi.application;

import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Files of the submitter's machine that are sent to the cluster, by the paths under which a plan names them. An entry
 * {@code dir/*} of a class path stands for several files. Immutable.
 */
public record UploadSelection(Map<Path, List<Path>> filesByEntry) {
    public UploadSelection {
        filesByEntry = new LinkedHashMap<>(filesByEntry);
    }

    /**
     * Selects the files of {@code plan} by {@code settings}; reads directories. {@code warnings} receives a line about
     * each directory that is not sent. Fails with {@code PATH_MISSING} if all files are to be sent and one is missing.
     */
    public static UploadSelection of(SubmissionPlan plan, UploadSettings settings, Consumer<String> warnings) {
        Map<Path, List<Path>> selected = new LinkedHashMap<>();
        if (settings.mode() == UploadSettings.Mode.NEVER) {
            return new UploadSelection(selected);
        }
        for (SubmissionResource resource : plan.resources()) {
            if (!resource.scheme().equals(SubmissionResource.FILE) || resource.kind() == Kind.NATIVE_PATH) {
                continue;
            }
            Path path = resource.path().normalize();
            if (settings.sends(path)) {
                List<Path> files = files(resource, path, settings, warnings);
                if (!files.isEmpty()) {
                    selected.put(path, files);
                }
            }
        }
        return new UploadSelection(selected);
    }

    private static List<Path> files(
            SubmissionResource resource, Path path, UploadSettings settings, Consumer<String> warnings) {
        try {
            boolean ofClassPath = resource.kind() == Kind.CLASS_PATH;
            if (ofClassPath && ClassPathEntries.isAllOf(path.toString()) && Files.isDirectory(path.getParent())) {
                return ClassPathEntries.jarsIn(path.getParent());
            }
            if (Files.isRegularFile(path)) {
                return List.of(path);
            }
            if (Files.isDirectory(path)) {
                warnings.accept("'" + resource + "': a directory (expected: a file) is not sent to the cluster; the"
                        + " machine of the driver must have it");
            }
        } catch (IOException unreadable) {
            throw ErrorCode.PATH_MISSING.failure(
                    "'" + resource + "': " + unreadable + " (expected: a directory that can be read)", unreadable);
        }
        if (settings.mode() == UploadSettings.Mode.ALWAYS) {
            throw ErrorCode.PATH_MISSING.failure("'" + resource
                    + "': no such file (expected: a file of this machine, as hearth.submit.upload is always); give it"
                    + " the scheme local: if all machines of the cluster have it");
        }
        return List.of();
    }

    /** The files to send, none of them twice. */
    public Set<Path> files() {
        Set<Path> files = new LinkedHashSet<>();
        filesByEntry.values().forEach(files::addAll);
        return files;
    }

    /** The plan in which the selected files have the addresses {@code sent}. */
    public SubmissionPlan sent(SubmissionPlan plan, Map<Path, ContentAddress> sent) {
        List<SubmissionResource> resources = new ArrayList<>();
        for (SubmissionResource resource : plan.resources()) {
            List<Path> files = resource.scheme().equals(SubmissionResource.FILE)
                    ? filesByEntry.getOrDefault(resource.path().normalize(), List.of())
                    : List.of();
            if (files.isEmpty()) {
                resources.add(resource);
            }
            files.forEach(file -> resources.add(at(resource, address(sent, file).uri())));
        }
        return plan.but()
                .resources(resources)
                .settings(withClassPath(plan.settings(), entry -> {
                    List<Path> files = filesByEntry.getOrDefault(Path.of(entry).normalize(), List.of());
                    return files.isEmpty()
                            ? List.of(entry)
                            : files.stream()
                                    .map(file -> address(sent, file).toString())
                                    .toList();
                }))
                .build();
    }

    /** The plan in which each uploaded file is the path that {@code places} returns, on the machine of the driver. */
    public static SubmissionPlan placed(SubmissionPlan plan, Function<ContentAddress, Path> places) {
        List<SubmissionResource> resources = plan.resources().stream()
                .map(resource -> ContentAddress.find(resource.address())
                        .map(address -> at(resource, places.apply(address).toUri()))
                        .orElse(resource))
                .toList();
        return plan.but()
                .resources(resources)
                .settings(withClassPath(
                        plan.settings(),
                        entry -> entry.startsWith(ContentAddress.SCHEME + ":")
                                ? List.of(ContentAddress.find(URI.create(entry))
                                        .map(places)
                                        .map(Path::toString)
                                        .orElse(entry))
                                : List.of(entry)))
                .build();
    }

    /** The uploaded files that {@code resources} name, none of them twice. Fails with {@code BAD_ARGUMENT}. */
    public static Set<ContentAddress> contents(List<SubmissionResource> resources) {
        Set<ContentAddress> contents = new LinkedHashSet<>();
        resources.forEach(resource -> ContentAddress.find(resource.address()).ifPresent(contents::add));
        return contents;
    }

    private static ContentAddress address(Map<Path, ContentAddress> sent, Path file) {
        return Objects.requireNonNull(sent.get(file), file::toString);
    }

    private static SubmissionResource at(SubmissionResource resource, URI other) {
        String fragment = resource.uri().getRawFragment();
        return resource.at(fragment == null ? other : URI.create(other + "#" + fragment));
    }

    private static Settings withClassPath(Settings settings, Function<String, List<String>> replaced) {
        String key = ApplicationSettings.DRIVER_CLASS_PATH.name();
        String text = new SettingsReader(settings).read(ApplicationSettings.DRIVER_CLASS_PATH);
        if (text.isBlank()) {
            return settings;
        }
        List<String> entries = new ArrayList<>();
        ClassPathEntries.split(text).forEach(entry -> entries.addAll(replaced.apply(entry)));
        return settings.with(settings.origin(key).orElse("submission"), key, String.join(File.pathSeparator, entries));
    }
}
