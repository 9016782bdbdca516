package dev.hearth.packages.internal;

import dev.hearth.packages.internal.Closure.Jar;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.packages.PackageCoordinate;
import dev.hearth.spi.packages.PackageExclude;
import dev.hearth.spi.packages.PackageListener;
import dev.hearth.spi.packages.PackageRequest;
import dev.hearth.spi.packages.RequestedPackage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession.CloseableSession;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.collection.DependencyCollectionException;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.Exclusion;
import org.eclipse.aether.repository.LocalRepository;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.util.graph.transformer.ConflictResolver;
import org.eclipse.aether.util.repository.SimpleResolutionErrorPolicy;

/**
 * One resolution by Maven's resolver: collects the dependencies of a request, chooses versions, and downloads what the
 * local repository lacks. Used once, by one thread.
 */
final class MavenResolution {
    private static final String ANY = "*";
    private static final String RUNTIME = "runtime";
    /** Threads for downloads of one kind, jars or descriptions. */
    private static final int THREADS = 6;

    private final UserFiles files;
    private final PackageRequest request;
    private final PackageListener listener;
    private final Clock clock;
    private final MavenSettings settings;
    private final LeftOutPackages leftOut;
    private final DownloadProgress progress;

    MavenResolution(UserFiles files, PackageRequest request, PackageListener listener, Clock clock) {
        this.clock = clock;
        this.files = files;
        this.request = request;
        this.listener = listener;
        settings = MavenSettings.read(files, listener::warned);
        leftOut = new LeftOutPackages(request.excludes());
        progress = new DownloadProgress(listener);
    }

    /** Resolves the request. Fails with {@code PACKAGES_UNRESOLVED}. */
    Closure resolve() throws InterruptedException, IOException {
        List<Dependency> roots = roots();
        if (roots.isEmpty()) {
            return new Closure(List.of(), false, leftOut.warning().stream().toList());
        }
        try (RepositorySystem system = new MavenSystems().get();
                CloseableSession session = session(system)) {
            List<RemoteRepository> repositories =
                    system.newResolutionRepositories(session, Repositories.of(request, settings, files));
            try {
                return resolve(system, session, roots, repositories);
            } catch (DependencyCollectionException | ArtifactResolutionException failure) {
                if (Thread.currentThread().isInterrupted()) {
                    throw new InterruptedException("packages: interrupted");
                }
                throw FailureText.of(failure, repositories);
            } finally {
                progress.stop();
                progress.finish();
            }
        }
    }

    private Closure resolve(
            RepositorySystem system,
            CloseableSession session,
            List<Dependency> roots,
            List<RemoteRepository> repositories)
            throws DependencyCollectionException, ArtifactResolutionException, IOException {
        CollectRequest collect = new CollectRequest(roots, List.of(), repositories);
        PackageGraph graph =
                PackageGraph.of(system.collectDependencies(session, collect).getRoot());
        graph.decisions().forEach(listener::noted);
        List<ArtifactRequest> wanted =
                graph.nodes().stream().map(ArtifactRequest::new).toList();
        List<Jar> jars = new ArrayList<>();
        for (ArtifactResult result : system.resolveArtifacts(session, wanted)) {
            Path file = result.getArtifact().getPath();
            LeftoverDownloads.deleteBeside(file, clock.instant());
            verify(PackageGraph.text(result.getArtifact()), file);
            jars.add(Jar.of(file));
        }
        return new Closure(jars, graph.changes(), leftOut.warning().stream().toList());
    }

    private List<Dependency> roots() {
        List<Dependency> roots = new ArrayList<>();
        for (RequestedPackage requested : request.packages()) {
            PackageCoordinate coordinate = requested.coordinate();
            if (leftOut.takes(coordinate.group(), coordinate.name())) {
                List<Exclusion> exclusions = new ArrayList<>();
                for (PackageExclude exclude : requested.excludes()) {
                    exclusions.add(new Exclusion(exclude.group(), exclude.name(), ANY, ANY));
                }
                if (!requested.transitive()) {
                    exclusions.add(new Exclusion(ANY, ANY, ANY, ANY));
                }
                DefaultArtifact artifact = new DefaultArtifact(
                        coordinate.group(),
                        coordinate.name(),
                        coordinate.classifier(),
                        coordinate.type(),
                        coordinate.version());
                roots.add(new Dependency(artifact, RUNTIME, false, exclusions));
            }
        }
        return roots;
    }

    private CloseableSession session(RepositorySystem system) {
        Path repository =
                files.given(request.directory()).or(settings::repository).orElse(files.repository());
        return new MavenSystems.Sessions(system, leftOut)
                .get()
                // a file of the local repository counts, whichever repository it came from
                .withLocalRepositories(new LocalRepository(repository, "simple"))
                .setWorkspaceReader(new IvyLocalRepository(files.published(files.given(request.directory()))))
                .setOffline(request.offline() || settings.isOffline())
                .setMirrorSelector(settings.mirrors())
                .setProxySelector(settings.proxies())
                .setAuthenticationSelector(settings.authentications())
                .setResolutionErrorPolicy(new SimpleResolutionErrorPolicy(false, false)) // a failure is tried again
                .setTransferListener(progress)
                .setSystemProperties(System.getProperties())
                .setConfigProperties(settings.headers())
                .setConfigProperty(ConflictResolver.CONFIG_PROP_VERBOSE, ConflictResolver.Verbosity.STANDARD)
                .setConfigProperty("aether.remoteRepositoryFilter.prefixes", false) // one request less per repository
                .setConfigProperty("aether.connector.basic.threads", THREADS)
                .setConfigProperty("aether.dependencyCollector.bf.threads", THREADS)
                .build();
    }

    /** Fails if a jar of the local repository differs from the checksum that came with it, or is no jar at all. */
    private static void verify(String coordinate, Path file) throws IOException {
        Path checksum = file.resolveSibling(file.getFileName() + ".sha1");
        if (Files.isRegularFile(checksum)) {
            String expected =
                    Files.readString(checksum).strip().split("\\s+", 2)[0].toLowerCase(Locale.ROOT);
            String found = HexFormat.of().formatHex(Closure.digest(file, "SHA-1"));
            if (!expected.equals(found)) {
                throw damaged(coordinate, file, "differs from its checksum " + checksum.getFileName());
            }
        }
        try (InputStream in = Files.newInputStream(file)) {
            byte[] begin = in.readNBytes(2);
            if (file.toString().endsWith(".jar") && (begin.length < 2 || begin[0] != 'P' || begin[1] != 'K')) {
                throw damaged(coordinate, file, "is no jar");
            }
        }
    }

    private static RuntimeException damaged(String coordinate, Path file, String found) {
        return ErrorCode.PACKAGES_UNRESOLVED.failure("package " + coordinate + ": " + file + " " + found
                + " (expected: the file that the repository has); delete it, so that it is downloaded again");
    }
}
