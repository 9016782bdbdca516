package dev.hearth.standalone.internal.client;

import dev.hearth.spi.application.BundleSet;
import dev.hearth.spi.application.FrozenBundle;
import dev.hearth.spi.application.UploadSelection;
import dev.hearth.spi.application.UploadSettings;
import dev.hearth.spi.cluster.ContentAddress;
import dev.hearth.spi.cluster.SubmissionListener;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.net.RpcAddress;
import dev.hearth.spi.rpc.Peer;
import dev.hearth.spi.stream.ContentHashes;
import dev.hearth.spi.stream.ContentId;
import dev.hearth.spi.stream.Streams;
import dev.hearth.standalone.internal.protocol.MasterProtocol.FilesWanted;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferFiles;
import dev.hearth.standalone.internal.protocol.MasterProtocol.OfferedFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the files of one submission to a master: asks for room, hashes what it has not hashed before, asks which files the
 * master lacks, and uploads these, one after another. Reads files on the executor for blocking calls. Used once.
 */
final class FileUploads {
    private static final Logger LOG = LoggerFactory.getLogger("dev.hearth.standalone.Submitter");

    /** Time in which a connection to a master that stands by is made. */
    private static final Duration STANDBY_CONNECTS_MAX = Duration.ofSeconds(1);

    private final SubmissionServices services;
    private final MasterSearch.Found master;
    private final List<RpcAddress> masters;
    private final Duration answerTimeout;
    private final Progress listener;
    private final ContentHashes hashes;

    FileUploads(
            SubmissionServices services,
            MasterSearch.Found master,
            List<RpcAddress> masters,
            Duration answerTimeout,
            SubmissionListener listener) {
        this(services, master, masters, answerTimeout, listener::uploaded);
    }

    private FileUploads(
            SubmissionServices services,
            MasterSearch.Found master,
            List<RpcAddress> masters,
            Duration answerTimeout,
            Progress listener) {
        this.services = services;
        this.master = master;
        this.masters = masters;
        this.answerTimeout = answerTimeout;
        this.listener = listener;
        this.hashes = new ContentHashes(
                ContentHashes.storeOf(services.environment(), Path.of(System.getProperty("user.home"))),
                services.loop().ticker(),
                LOG::debug);
    }

    /** Receiver of how many bytes of a file were sent. */
    private interface Progress {
        void uploaded(String name, long sent, long bytes);
    }

    /** File of this machine with what is known about it; {@code sha256} is empty as long as it is not read. */
    private record LocalFile(Path path, String sha256, long bytes) {
        OfferedFile offered() {
            return new OfferedFile(sha256, bytes);
        }
    }

    /** Parts of the submission as the driver gets them: the plan that names sent files by their content, and the bundles whose jars were sent. */
    record Sent(SubmissionPlan plan, List<FrozenBundle> bundles) {}

    /** Sends the files of {@code plan} that are to be sent, and the jars of the bundles that {@code freeze} returns. */
    CompletionStage<Sent> send(SubmissionPlan plan, Supplier<BundleSet> freeze) {
        UploadSettings settings = UploadSettings.from(plan.settings());
        if (!services.sendsFiles() || settings.mode() == UploadSettings.Mode.NEVER) {
            return CompletableFuture.completedStage(new Sent(plan, List.of()));
        }
        return blocking(freeze::get)
                .thenCompose(bundles -> blocking(() -> UploadSelection.of(plan, settings, LOG::warn))
                        .thenCompose(selection -> send(plan, selection, bundles))
                        .whenComplete((sent, failure) -> bundles.close()));
    }

    private CompletionStage<Sent> send(SubmissionPlan plan, UploadSelection selection, BundleSet bundles) {
        if (selection.files().isEmpty() && bundles.bundles().isEmpty()) {
            return CompletableFuture.completedStage(new Sent(plan, List.of()));
        }
        return blocking(() -> look(selection.files(), bundles))
                .thenCompose(this::sendAll)
                .thenCompose(this::copy)
                .thenApply(files -> new Sent(selection.sent(plan, addresses(files)), bundles.bundles()));
    }

    private CompletionStage<List<LocalFile>> sendAll(List<LocalFile> found) {
        CompletionStage<FilesWanted> asked = ask(found);
        boolean hashed = found.stream().noneMatch(file -> file.sha256.isEmpty());
        if (hashed) {
            return asked.thenCompose(wanted -> upload(found, wanted));
        }
        return asked.thenCompose(room -> blocking(() -> read(found)))
                .thenCompose(files -> ask(files).thenCompose(wanted -> upload(files, wanted)));
    }

    /** Sends files to the masters that stand by, too, so that they have them when they lead. Some of these may be away. */
    private CompletionStage<List<LocalFile>> copy(List<LocalFile> files) {
        CompletableFuture<?>[] copies = masters.stream()
                .filter(other -> !other.equals(master.address()))
                .map(other -> copy(other, files).toCompletableFuture())
                .toArray(CompletableFuture<?>[]::new);
        return CompletableFuture.allOf(copies).thenApply(done -> files);
    }

    private CompletionStage<Void> copy(RpcAddress standby, List<LocalFile> files) {
        CompletableFuture<Peer> connected = new CompletableFuture<>();
        services.rpc().connect(standby).whenComplete((peer, failure) -> {
            if (failure != null) {
                connected.completeExceptionally(failure);
            } else if (!connected.complete(peer)) {
                peer.close();
            }
        });
        services.loop()
                .schedule(
                        STANDBY_CONNECTS_MAX,
                        () -> connected.completeExceptionally(
                                ErrorCode.PEER_UNREACHABLE.failure(standby + ": no answer within "
                                        + STANDBY_CONNECTS_MAX.toMillis() + " ms (expected: a master)")));
        return connected
                .thenCompose(peer -> new FileUploads(
                                services,
                                new MasterSearch.Found(standby, peer),
                                List.of(),
                                answerTimeout,
                                (name, sent, bytes) -> {})
                        .sendAll(files)
                        .whenComplete((sent, failure) -> peer.close()))
                .handle((sent, failure) -> {
                    if (failure != null) {
                        LOG.warn(
                                "files of the submission: not copied to master {}, which cannot start the driver if"
                                        + " it leads: {}",
                                standby,
                                Failures.describe(failure));
                    }
                    return null;
                });
    }

    private CompletionStage<FilesWanted> ask(List<LocalFile> files) {
        List<OfferedFile> offered =
                files.stream().map(LocalFile::offered).distinct().toList();
        return MasterConnection.endpointOf(master.peer())
                .ask(new OfferFiles(offered), FilesWanted.class, answerTimeout);
    }

    private CompletionStage<List<LocalFile>> upload(List<LocalFile> files, FilesWanted wanted) {
        Set<OfferedFile> missing = new LinkedHashSet<>(wanted.files());
        CompletionStage<List<LocalFile>> all = CompletableFuture.completedStage(files);
        for (LocalFile file : files) {
            if (missing.remove(file.offered())) {
                all = all.thenCompose(before -> upload(file)).thenApply(content -> files);
            }
        }
        return all;
    }

    private CompletionStage<ContentId> upload(LocalFile file) {
        Streams streams = services.rpc().streams();
        String name = file.path.getFileName().toString();
        return streams.upload(
                        master.address(),
                        file.path,
                        new ContentId(file.sha256),
                        sent -> services.loop().execute(() -> listener.uploaded(name, sent, file.bytes)))
                .whenComplete((content, failure) -> {
                    services.loop().execute(() -> listener.uploaded(name, file.bytes, file.bytes));
                    if (failure == null) {
                        LOG.info("{}: uploaded to {}, {} bytes", file.path, master.address(), file.bytes);
                    } else {
                        hashes.forget(file.path); // it may be the hash that is wrong
                    }
                });
    }

    private List<LocalFile> look(Set<Path> paths, BundleSet bundles) throws IOException {
        List<LocalFile> files = new ArrayList<>();
        for (FrozenBundle bundle : bundles.bundles()) {
            Path jar = bundles.jar(bundle.content()).orElseThrow();
            files.add(new LocalFile(jar, bundle.content().sha256(), bundle.bytes()));
        }
        for (Path path : paths) {
            String known = hashes.known(path).map(ContentId::sha256).orElse("");
            files.add(new LocalFile(path, known, Files.size(path)));
        }
        return files;
    }

    private List<LocalFile> read(List<LocalFile> found) throws IOException {
        List<LocalFile> files = new ArrayList<>();
        for (LocalFile file : found) {
            files.add(
                    file.sha256.isEmpty()
                            ? new LocalFile(file.path, hashes.read(file.path).sha256(), Files.size(file.path))
                            : file);
        }
        return files;
    }

    private static Map<Path, ContentAddress> addresses(List<LocalFile> files) {
        return files.stream()
                .collect(Collectors.toMap(
                        LocalFile::path,
                        file -> new ContentAddress(
                                new ContentId(file.sha256),
                                file.bytes,
                                file.path.getFileName().toString()),
                        (one, other) -> one,
                        LinkedHashMap::new));
    }

    private <T> CompletionStage<T> blocking(Reading<T> reading) {
        Function<IOException, RuntimeException> unreadable = failure -> ErrorCode.PATH_MISSING.failure(
                "file of the submission: " + failure + " (expected: a file that can be read)", failure);
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return reading.run();
                    } catch (IOException failure) {
                        throw unreadable.apply(failure);
                    }
                },
                services.blocking());
    }

    private interface Reading<T> {
        T run() throws IOException;
    }
}
