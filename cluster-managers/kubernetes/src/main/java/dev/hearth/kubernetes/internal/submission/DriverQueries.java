package dev.hearth.kubernetes.internal.submission;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails.ContainerDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.following.PodLines;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.pod.PodLabels;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.cluster.SubmissionPattern;
import dev.hearth.spi.cluster.SubmissionServices;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.cluster.SubmissionStatus;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.SettingsReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Answers to questions about drivers on the cluster, and their end. A submission is named {@code NAMESPACE:POD} or {@code
 * POD}. Owned by the submitter's event loop; used for one request.
 */
public final class DriverQueries {
    private static final String DRIVERS = PodLabels.ROLE + "=driver";

    private final MasterUrl master;
    private final SubmissionServices services;
    private final Function<ClusterSettings, ApiServer> servers;

    /** {@code servers} opens the API server, which may block. */
    public DriverQueries(MasterUrl master, SubmissionServices services, Function<ClusterSettings, ApiServer> servers) {
        this.master = master;
        this.services = services;
        this.servers = servers;
    }

    /** Statuses of the drivers that match {@code pattern}; empty if none does. */
    public CompletionStage<List<SubmissionStatus>> status(SubmissionPattern pattern) {
        services.said("Submitting a request for the status of submission " + pattern + " in " + master + ".");
        return with(
                pattern,
                server -> found(server, pattern).thenApply(pods -> {
                    missing(pattern, pods);
                    pods.forEach(pod ->
                            PodLines.state("Application status (driver): ", pod).forEach(services::said));
                    return statuses(server, pods);
                }));
    }

    /** Deletes the pods of the drivers that match {@code pattern}; completes with their statuses before. */
    public CompletionStage<List<SubmissionStatus>> kill(SubmissionPattern pattern) {
        SettingsReader in = new SettingsReader(services.settings());
        Optional<Duration> grace = SubmissionSettings.killGrace(in);
        in.finish();
        services.said(
                "Submitting a request to kill submission " + pattern + " in " + master + ". Grace period in secs: "
                        + grace.map(Duration::toSeconds).map(String::valueOf).orElse("not set."));
        OptionalInt seconds =
                grace.map(time -> OptionalInt.of((int) time.toSeconds())).orElseGet(OptionalInt::empty);
        return with(
                pattern,
                server -> found(server, pattern).thenCompose(pods -> {
                    missing(pattern, pods);
                    if (pattern.single().isEmpty()) {
                        pods.forEach(pod -> services.said("Deleting driver pod: " + pod.name() + "."));
                    }
                    CompletionStage<List<SubmissionStatus>> all =
                            CompletableFuture.completedStage(statuses(server, pods));
                    List<CompletionStage<Void>> deletions = new ArrayList<>();
                    pods.forEach(pod -> deletions.add(deleted(server, pod, seconds)));
                    for (CompletionStage<Void> deletion : deletions) {
                        all = all.thenCombine(deletion, (before, nothing) -> before);
                    }
                    return all;
                }));
    }

    private void missing(SubmissionPattern pattern, List<ObjectFacts> pods) {
        if (pods.isEmpty()) {
            services.said(pattern.single().isPresent() ? "Application not found." : "No applications found.");
        }
    }

    /** Opens the API server for the namespace of {@code pattern}, and closes it after {@code request}. */
    private CompletionStage<List<SubmissionStatus>> with(
            SubmissionPattern pattern, Function<ApiServer, CompletionStage<List<SubmissionStatus>>> request) {
        SettingsReader in = new SettingsReader(services.settings());
        ClusterSettings read = ClusterSettings.ofSubmission(in);
        in.finish();
        int colon = pattern.text().indexOf(':');
        ClusterSettings cluster = colon > 0 ? read.in(pattern.text().substring(0, colon)) : read;
        return CompletableFuture.supplyAsync(() -> servers.apply(cluster), services.blocking())
                .thenComposeAsync(
                        server -> request.apply(server).whenComplete((answer, failure) -> server.close()),
                        services.loop());
    }

    private CompletionStage<List<ObjectFacts>> found(ApiServer server, SubmissionPattern pattern) {
        String name = pattern.text().substring(pattern.text().indexOf(':') + 1);
        CompletableFuture<List<ObjectFacts>> found = new CompletableFuture<>();
        if (pattern.single().isPresent()) {
            server.read(
                    Resource.POD,
                    name,
                    answer -> services.loop().execute(() -> {
                        if (answer instanceof Answer.Done done && done.object().isPresent()) {
                            ObjectFacts pod = done.object().get();
                            found.complete(pod.label(PodLabels.ROLE).equals("driver") ? List.of(pod) : List.of());
                        } else if (answer instanceof Answer.Missing) {
                            found.complete(List.of());
                        } else {
                            found.completeExceptionally(failure("pod " + name, server, answer));
                        }
                    }));
        } else {
            page(server, new SubmissionPattern(name), "", new ArrayList<>(), found);
        }
        return found;
    }

    private void page(
            ApiServer server,
            SubmissionPattern names,
            String next,
            List<ObjectFacts> before,
            CompletableFuture<List<ObjectFacts>> found) {
        server.list(
                Resource.POD,
                DRIVERS,
                next,
                answer -> services.loop().execute(() -> {
                    if (!(answer instanceof Answer.Page page)) {
                        found.completeExceptionally(failure("pods of drivers", server, answer));
                        return;
                    }
                    page.objects().stream()
                            .filter(pod -> names.matches(new SubmissionId(pod.name())))
                            .forEach(before::add);
                    if (page.next().isEmpty()) {
                        found.complete(before);
                    } else {
                        page(server, names, page.next(), before, found);
                    }
                }));
    }

    private CompletionStage<Void> deleted(ApiServer server, ObjectFacts pod, OptionalInt grace) {
        CompletableFuture<Void> deleted = new CompletableFuture<>();
        server.delete(
                Resource.POD,
                pod.name(),
                Optional.of(pod.uid()),
                grace,
                answer -> services.loop().execute(() -> {
                    if (answer instanceof Answer.Done || answer instanceof Answer.Missing) {
                        deleted.complete(null);
                    } else {
                        deleted.completeExceptionally(failure("pod " + pod.name(), server, answer));
                    }
                }));
        return deleted;
    }

    private static RuntimeException failure(String what, ApiServer server, Answer answer) {
        ErrorCode code =
                answer instanceof Answer.Unknown ? ErrorCode.CLUSTER_UNREACHABLE : ErrorCode.SUBMISSION_REFUSED;
        return code.failure(what + " in namespace " + server.namespace() + ": " + Words.of(answer)
                + " (expected: an answer of the API server); check --master and the rights of the account");
    }

    private static List<SubmissionStatus> statuses(ApiServer server, List<ObjectFacts> pods) {
        return pods.stream().map(pod -> status(server.namespace(), pod)).toList();
    }

    /** Status of the driver in {@code pod}. Pure. */
    static SubmissionStatus status(String namespace, ObjectFacts pod) {
        PodFacts facts = pod.requirePod();
        Optional<ContainerFacts> own = facts.container(DriverObjects.CONTAINER);
        Optional<ContainerDetails> details = pod.details().flatMap(known -> known.container(DriverObjects.CONTAINER));
        OptionalInt exit = own.map(ContainerFacts::exitCode).orElseGet(OptionalInt::empty);
        String node = facts.node().isEmpty() ? "" : " on node " + facts.node();
        return new SubmissionStatus(
                new SubmissionId(namespace + ":" + pod.name()),
                state(facts, own),
                "pod " + pod.name() + node,
                message(facts, own, details.map(ContainerDetails::lastExit).orElseGet(OptionalInt::empty)),
                exit,
                "",
                "",
                Map.of(),
                1 + details.map(ContainerDetails::restarts).orElse(0));
    }

    private static SubmissionState state(PodFacts pod, Optional<ContainerFacts> own) {
        return switch (pod.phase()) {
            case "Succeeded" -> SubmissionState.FINISHED;
            case "Failed" ->
                own.filter(ContainerFacts::hasEnded).isEmpty()
                        ? SubmissionState.ERROR
                        : pod.deleting() ? SubmissionState.KILLED : SubmissionState.FAILED;
            case "Running" ->
                own.filter(ContainerFacts::running).isPresent()
                        ? SubmissionState.RUNNING
                        : pod.deleting() ? SubmissionState.KILLED : SubmissionState.RELAUNCHING;
            case "Unknown" -> SubmissionState.UNKNOWN;
            default -> SubmissionState.SUBMITTED;
        };
    }

    private static String message(PodFacts pod, Optional<ContainerFacts> own, OptionalInt lastExit) {
        if (!pod.unscheduled().isEmpty()) {
            return pod.unscheduled();
        }
        Optional<String> hindrance = Verdict.hindrance(pod, DriverObjects.CONTAINER);
        if (hindrance.isPresent()) {
            return hindrance.get();
        }
        if (own.filter(container -> container.waiting().equals(ContainerFacts.BACK_OFF))
                        .isPresent()
                && lastExit.isPresent()) {
            return "exit status " + lastExit.getAsInt() + Verdict.explained(lastExit.getAsInt());
        }
        return own.filter(container -> container.exitCode().orElse(0) != 0)
                .map(container -> container.ended()
                        + Verdict.explained(container.exitCode().getAsInt()))
                .orElse(pod.reason());
    }
}
