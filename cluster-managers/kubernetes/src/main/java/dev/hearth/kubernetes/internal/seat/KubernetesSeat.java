package dev.hearth.kubernetes.internal.seat;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.client.OpenServers;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.spi.application.ApplicationSettings;
import dev.hearth.spi.cluster.DriverSeat;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.error.ExitCode;
import dev.hearth.spi.error.Failures;
import dev.hearth.spi.role.RoleMain.ExitStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Seat in a driver on the cluster. Before the application starts, it makes the driver's pod the owner of the submission's
 * secret and brings the files that the secret does not carry. After the end, it deletes the service. Used by the thread of
 * the driver.
 */
@Component(service = DriverSeat.class, property = DriverSeat.SCHEME + "=k8s")
public final class KubernetesSeat implements DriverSeat {
    private static final Logger LOG = LoggerFactory.getLogger(KubernetesSeat.class);
    private static final Duration UPLOAD_BOUND = Duration.ofMinutes(10);
    private static final Duration FETCH_BOUND = Duration.ofSeconds(60);
    private static final Duration END_BOUND = Duration.ofSeconds(5);
    private static final int REASON_MAX = 4096;
    private static final String MASTER = "hearth.master";

    private final Path directory;
    private final Map<String, String> environment;
    private final Function<SubmissionPlan, ApiServer> servers;
    private final Executor opening;
    private Optional<SeatInstructions> instructions = Optional.empty();
    private CompletableFuture<ApiServer> server = new CompletableFuture<>();
    private boolean supervised;

    @Activate
    public KubernetesSeat(@Reference OpenServers servers) {
        this(Path.of(DriverObjects.INSTRUCTIONS), System.getenv(), plan -> open(servers, plan), task -> {
            Thread thread = new Thread(task, "hearth-kubernetes-seat");
            thread.setDaemon(true);
            thread.start();
        });
    }

    /** Seat with the instructions in {@code directory}, which opens an API server on {@code opening}. */
    KubernetesSeat(
            Path directory,
            Map<String, String> environment,
            Function<SubmissionPlan, ApiServer> servers,
            Executor opening) {
        this.opening = opening;
        this.directory = directory;
        this.environment = environment;
        this.servers = servers;
    }

    private static ApiServer open(OpenServers servers, SubmissionPlan plan) {
        MasterUrl master = MasterUrl.parse(plan.settings().find(MASTER).orElse("k8s"));
        return servers.open(System.getenv(), master, ClusterSettings.from(plan.settings()));
    }

    @Override
    public void begin(SubmissionPlan plan) throws IOException, InterruptedException {
        Path file = directory.resolve("instructions");
        if (!Files.exists(file)) {
            throw ErrorCode.START_FAILED.failure("instructions of the submission, " + file
                    + ": missing (expected: from the secret of the submission); start drivers with bin/submit");
        }
        SeatInstructions read = SeatInstructions.parse(Files.readString(file));
        instructions = Optional.of(read);
        supervised = plan.settings()
                .find(ApplicationSettings.DRIVER_SUPERVISE.name())
                .filter("true"::equalsIgnoreCase)
                .isPresent();
        server = CompletableFuture.supplyAsync(() -> servers.apply(plan), opening) // the application starts meanwhile
                .whenComplete((opened, failure) -> adopt(read, opened, failure));
        FileFetch fetch = new FileFetch(FETCH_BOUND);
        for (SeatInstructions.Fetch wanted : read.fetches()) {
            fetch.fetch(wanted);
        }
        if (!read.uploads().isEmpty()) {
            LOG.info("waits for {} files of the submitter", read.uploads().size());
            FileReceiver.open(read, FileReceiver.PORT).receive(UPLOAD_BOUND);
        }
    }

    /** Repeats what the submitter may not have done. The application does not wait for it. */
    private void adopt(SeatInstructions read, @Nullable ApiServer opened, @Nullable Throwable failure) {
        if (opened == null) {
            LOG.warn(
                    "secret {}: not known to belong to this pod: {}; unless bin/submit has done it, the sweep does",
                    read.secret(),
                    failure == null ? "" : Failures.describe(Failures.unwrap(failure)));
            return;
        }
        String uid = environment.getOrDefault(DriverObjects.POD_UID, "");
        if (uid.isEmpty()) {
            LOG.warn(
                    "secret {}: not taken, the uid of this pod is unknown (expected: in HEARTH_POD_UID)",
                    read.secret());
            return;
        }
        opened.patch(Resource.SECRET, read.secret(), DriverObjects.adoption(read.pod(), uid), answer -> {
            if (answer instanceof Answer.Done) {
                LOG.debug("secret {}: belongs to this pod", read.secret());
            } else {
                LOG.warn(
                        "secret {}: not known to belong to this pod: {}; unless bin/submit has done it, the sweep does",
                        read.secret(),
                        Words.of(answer));
            }
        });
    }

    @Override
    public void ended(ExitStatus status, String words) throws InterruptedException {
        if (instructions.isEmpty()) {
            return;
        }
        SeatInstructions read = instructions.get();
        try (ApiServer open = server.get(END_BOUND.toMillis(), TimeUnit.MILLISECONDS)) {
            if (read.annotates() && !status.equals(ExitStatus.of(ExitCode.OK))) {
                String reason = words.substring(0, Math.min(words.length(), REASON_MAX));
                await(
                        "annotation of pod " + read.pod(),
                        answer -> open.patch(
                                Resource.POD,
                                read.pod(),
                                DriverObjects.annotation("spark.exit-exception", reason),
                                answer));
            }
            boolean startsAgain = supervised && !status.equals(ExitStatus.of(ExitCode.OK));
            if (!read.service().isEmpty() && !startsAgain) {
                await(
                        "service " + read.service(),
                        answer -> open.delete(
                                Resource.SERVICE, read.service(), Optional.empty(), OptionalInt.empty(), answer));
            }
        } catch (ExecutionException | TimeoutException failure) {
            LOG.info("end of the driver: not reported, as the API server could not be opened", failure);
        }
    }

    /** Waits for the answer to a request at the end of the driver, whose failure changes nothing. */
    private static void await(String what, Consumer<Consumer<Answer>> request) throws InterruptedException {
        CompletableFuture<Answer> answered = new CompletableFuture<>();
        request.accept(answered::complete);
        try {
            Answer answer = answered.get(END_BOUND.toMillis(), TimeUnit.MILLISECONDS);
            if (!(answer instanceof Answer.Done || answer instanceof Answer.Missing)) {
                LOG.info("{}: {}; the cluster deletes it with the pod", what, Words.of(answer));
            }
        } catch (ExecutionException | TimeoutException failure) {
            LOG.info("{}: no answer of the API server within {} s", what, END_BOUND.toSeconds(), failure);
        }
    }
}
