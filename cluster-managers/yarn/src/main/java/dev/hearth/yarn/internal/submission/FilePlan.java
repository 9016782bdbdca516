package dev.hearth.yarn.internal.submission;

import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.yarn.internal.launch.StagedFiles;
import dev.hearth.yarn.internal.line.ContainerFile;
import dev.hearth.yarn.internal.settings.StagingSettings;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Files of a submission: which ones containers get, under which names, and the plan with the paths that they have in the
 * driver's container. There, {@link #DIRECTORY} stands for the working directory, which only the container knows. Jars go by
 * their hashes; files and archives by their own names, each of which may occur once. Pure.
 */
record FilePlan(SubmissionPlan plan, List<PlannedFile> files) {
    /** Begin of paths in the working directory of a container. */
    static final String DIRECTORY = "/HEARTH_CONTAINER";
    /** Directory of archives as they are, beside the unpacked ones. */
    private static final String PACKED = "packed";

    private static final Set<String> TAKEN = Set.of(
            StagedFiles.PLATFORM,
            StagedFiles.CLASSES,
            StagedFiles.BUNDLES,
            StagedFiles.SENT,
            StagedFiles.JARS,
            DriverContainer.CONFIGURATION,
            DriverContainer.ORDERS,
            PACKED,
            "tmp",
            "container_tokens",
            "launch_container.sh");

    FilePlan {
        files = List.copyOf(files);
    }

    /** The resources of {@code plan} and those that only the settings for YARN name. */
    static SubmissionPlan withOwn(SubmissionPlan plan, StagingSettings staging) {
        SubmissionPlan.Builder all = plan.but();
        staging.jars().forEach(jar -> all.add(Kind.JAR, absolute(jar)));
        staging.files().forEach(file -> all.add(Kind.FILE, absolute(file)));
        staging.archives().forEach(archive -> all.add(Kind.ARCHIVE, absolute(archive)));
        return all.build();
    }

    private static String absolute(String address) {
        boolean isUri = address.matches("[a-zA-Z][a-zA-Z0-9+.-]*:.*");
        return isUri ? address : Path.of(address).toAbsolutePath().toString();
    }

    /**
     * Plans the files of {@code plan}; {@code hashes} are those of its local files. Fails with {@code BAD_ARGUMENT} if two
     * files have one name.
     */
    static FilePlan of(SubmissionPlan plan, Map<Path, ContentId> hashes, StagingSettings staging) {
        Links links = new Links();
        List<SubmissionResource> placed = new ArrayList<>();
        for (SubmissionResource resource : plan.resources()) {
            if (resource.scheme().equals(SubmissionResource.LOCAL)) {
                String path = staging.onNodes(resource.path().toString());
                placed.add(resource.at(withAlias(URI.create(SubmissionResource.LOCAL + ":" + raw(path)), resource)));
            } else {
                placed.add(place(resource, hashes, links));
            }
        }
        return new FilePlan(plan.but().resources(placed).build(), List.copyOf(links.files.values()));
    }

    private static SubmissionResource place(SubmissionResource resource, Map<Path, ContentId> hashes, Links links) {
        return switch (resource.kind()) {
            case APPLICATION_JAR, JAR, CLASS_PATH -> placeJar(resource, hashes, links);
            case FILE -> {
                links.add(
                        resource, resource.name(), planned(resource, resource.name(), ContainerFile.Kind.FILE, hashes));
                yield at(resource, resource.name(), resource.name());
            }
            case ARCHIVE -> {
                String packed = PACKED + "/" + resource.fileName();
                links.add(
                        resource,
                        resource.name(),
                        planned(resource, resource.name(), ContainerFile.Kind.ARCHIVE, hashes));
                links.add(
                        resource,
                        packed,
                        planned(resource, packed, ContainerFile.Kind.FILE, hashes)
                                .driverOnly());
                yield at(resource, packed, resource.name());
            }
            case NATIVE_PATH -> resource;
        };
    }

    private static SubmissionResource placeJar(SubmissionResource resource, Map<Path, ContentId> hashes, Links links) {
        ContentId hash = resource.isPath() ? hashes.get(resource.path().normalize()) : null;
        if (resource.isPath() && hash == null) {
            return resource; // a directory, or a pattern that only the nodes can resolve
        }
        String link = StagedFiles.JARS + "/" + (hash == null ? "" : hash.sha256() + "-") + resource.fileName();
        links.addJar(link, planned(resource, link, ContainerFile.Kind.FILE, hashes));
        return resource.at(URI.create("file:" + raw(DIRECTORY + "/" + link)));
    }

    private static PlannedFile planned(
            SubmissionResource resource, String link, ContainerFile.Kind kind, Map<Path, ContentId> hashes) {
        String name = storedName(resource, link);
        if (!resource.isPath()) {
            return PlannedFile.ofRemote(link, kind, name, resource.address());
        }
        Path path = resource.path().normalize();
        ContentId hash = hashes.get(path);
        if (hash == null) {
            throw ErrorCode.PATH_MISSING.failure("'" + resource
                    + "': no file of this machine (expected: a file, or one of" + " all nodes as local:" + path + ")");
        }
        return PlannedFile.ofLocal(link, kind, name, path, hash);
    }

    /**
     * Name of the content of a file. A NodeManager makes one link for each content, so that what has two links needs two
     * names; the end says how an archive is unpacked.
     */
    private static String storedName(SubmissionResource resource, String link) {
        if (link.startsWith(StagedFiles.JARS + "/")) {
            return resource.fileName();
        }
        return "file-" + link.replace('/', '-') + (link.endsWith(resource.fileName()) ? "" : "-" + resource.fileName());
    }

    private static SubmissionResource at(SubmissionResource resource, String link, String name) {
        return resource.at(URI.create("file:" + raw(DIRECTORY + "/" + link) + "#" + raw(name)));
    }

    private static URI withAlias(URI address, SubmissionResource resource) {
        String fragment = resource.uri().getRawFragment();
        return fragment == null ? address : URI.create(address + "#" + fragment);
    }

    private static String raw(String path) {
        return Path.of("/").resolve(path).toUri().getRawPath().substring(path.startsWith("/") ? 0 : 1);
    }

    /** Names in a container, each with its file. */
    private static final class Links {
        private final Map<String, PlannedFile> files = new LinkedHashMap<>();
        private final Set<String> addresses = new LinkedHashSet<>();

        /** Adds a file or an archive; neither its address nor its name may occur twice. */
        void add(SubmissionResource resource, String link, PlannedFile file) {
            boolean isDriverOnly = !file.forExecutors();
            boolean isNew = isDriverOnly || addresses.add(resource.address().toString());
            if (!isNew || files.containsKey(link)) {
                throw ErrorCode.BAD_ARGUMENT.failure(
                        "Attempt to add (" + resource + ") multiple times to the distributed cache.");
            }
            if (TAKEN.contains(link) || link.startsWith(".") || link.equals("..")) {
                throw ErrorCode.BAD_ARGUMENT.failure("'" + resource + "': the name " + link
                        + " (expected: a name that Hearth does not use in containers); give it another one with #");
            }
            files.put(link, file);
        }

        /** Adds a jar; the same one may be named twice. */
        void addJar(String link, PlannedFile file) {
            files.putIfAbsent(link, file);
        }
    }
}
