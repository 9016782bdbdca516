package dev.hearth.kubernetes.internal.following;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ContainerFacts;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.PodDetails;
import dev.hearth.kubernetes.internal.api.PodFacts;
import dev.hearth.kubernetes.internal.placement.Words;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.verdict.Verdict;
import dev.hearth.spi.cluster.SubmissionState;
import dev.hearth.spi.error.ExitCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * State of a driver on the cluster, from the facts about its pod. A state machine without clock and threads, owned by
 * {@link FollowingShell}. Invariants: a final state is reported once, and nothing after it; an API server that does not
 * answer ends nothing before {@link Settings#followTimeout}.
 */
final class DriverFollowing {
    /** Time after which an image that does not exist ends the submission. */
    static final Duration HOPELESS_BOUND = Duration.ofSeconds(15);

    /** Begin of the line in which a process says why it failed. */
    static final String ERROR = "error:";

    /** Longest wait for the deletion of a pod that cannot start. */
    private static final Duration DELETE_BOUND = Duration.ofSeconds(5);

    private final Application application;
    private final Settings settings;
    private final List<FollowingEffect> effects = new ArrayList<>();
    private State state = State.WAITING;
    private Optional<ObjectFacts> last = Optional.empty();
    private List<String> shown = List.of();
    private String message = "";
    private String staleReason = "";
    private long staleNanos;
    private long hinderedNanos;
    private String hindrance = "";
    private long abandonedNanos;
    private long saidNanos;
    private int attempt = 1;
    private int runningAttempt; // the last one that was reported to run
    private SubmissionState told = SubmissionState.SUBMITTED;
    private String toldMessage = "";
    private long now; // set on entry

    /** State of the driver. */
    enum State {
        /** No node is chosen yet. */
        WAITING,
        /** A node prepares the container. */
        STARTING,
        RUNNING,
        /** The container has failed, and the node will start it again. */
        RESTARTING,
        /** The pod cannot start and is being deleted. */
        ABANDONING,
        /** The container has ended; the end of its log is being read. */
        ENDING,
        ENDED
    }

    /** Names for lines: of the application, its id, and the submission. */
    record Application(String name, String id, String submission) {}

    /**
     * {@code report} is the longest time without a line; {@code supervised} says whether the node starts a failed
     * container again.
     */
    record Settings(Duration imageTimeout, Duration report, Duration followTimeout, boolean supervised) {}

    DriverFollowing(Application application, Settings settings, long now) {
        this.application = application;
        this.settings = settings;
        this.now = now;
        this.saidNanos = now;
    }

    State state() {
        return state;
    }

    /** Begins to follow. */
    List<FollowingEffect> begin(long at) {
        now = at;
        say(List.of("Waiting for application " + application.name() + " with application ID " + application.id()
                + " and submission ID " + application.submission() + " to finish..."));
        effects.add(new FollowingEffect.Wake(settings.report()));
        return drain();
    }

    List<FollowingEffect> seen(ObjectFacts pod, long at) {
        now = at;
        if (state == State.ENDED || state == State.ENDING) {
            return drain();
        }
        last = Optional.of(pod);
        attempt = own(pod).map(container -> container.restarts() + 1).orElse(attempt);
        List<String> lines = PodLines.state("State changed, new state: ", pod);
        if (!lines.equals(shown)) {
            shown = lines;
            say(lines);
        }
        if (state != State.ABANDONING) {
            judge(pod.requirePod());
        }
        return drain();
    }

    /** The pod does not exist any more; {@code pod} is its last known state. */
    List<FollowingEffect> vanished(ObjectFacts pod, long at) {
        now = at;
        if (state == State.ENDED || state == State.ENDING) {
            return drain();
        }
        last = Optional.of(pod);
        PodFacts facts = pod.requirePod();
        if (state == State.ABANDONING || facts.isTerminal()) {
            finish("");
        } else {
            finish(SubmissionState.KILLED, "the driver's pod was deleted", OptionalInt.empty(), "");
        }
        return drain();
    }

    /** The facts are out of date because of {@code reason}; an empty reason says that they are up to date again. */
    List<FollowingEffect> stale(String reason, long at) {
        now = at;
        if (state == State.ENDED) {
            return drain();
        }
        if (!reason.isEmpty() && staleReason.isEmpty()) {
            staleNanos = now;
            effects.add(new FollowingEffect.Wake(settings.followTimeout()));
        }
        staleReason = reason;
        if (reason.isEmpty()) {
            last.ifPresent(pod -> judge(pod.requirePod()));
        } else if (state == State.RUNNING) {
            tell(SubmissionState.UNKNOWN, reason, OptionalInt.empty(), "");
        } else {
            tell(told, reason, OptionalInt.empty(), "");
        }
        return drain();
    }

    /** The request to delete a pod that cannot start is answered. */
    List<FollowingEffect> deleted(Answer answer, long at) {
        now = at;
        if (state == State.ABANDONING) {
            if (!(answer instanceof Answer.Done || answer instanceof Answer.Missing)) {
                say(List.of("warning: pod " + podName() + " cannot start and is not deleted: " + Words.of(answer)
                        + "; end it with submit --kill " + application.submission()));
            }
            finish("");
        }
        return drain();
    }

    List<FollowingEffect> logRead(Answer answer, long at) {
        now = at;
        if (state == State.ENDING) {
            finish(answer instanceof Answer.Text text ? text.text() : "");
        }
        return drain();
    }

    List<FollowingEffect> wake(long at) {
        now = at;
        if (state == State.ENDED) {
            return drain();
        }
        if (!staleReason.isEmpty()
                && now - staleNanos - settings.followTimeout().toNanos() >= 0) {
            state = State.ENDED;
            effects.add(new FollowingEffect.Lost(staleReason + " for "
                    + settings.followTimeout().toSeconds()
                    + " s; the driver may run on; ask for its state with submit --status " + application.submission()));
            return drain();
        }
        if (state == State.ABANDONING && now - abandonedNanos - DELETE_BOUND.toNanos() >= 0) {
            finish("");
            return drain();
        }
        if (state == State.STARTING) {
            last.ifPresent(pod -> judge(pod.requirePod()));
        }
        if (now - saidNanos - settings.report().toNanos() >= 0) {
            String phase = last.map(pod -> pod.requirePod().phase()).orElse("unknown");
            say(List.of("Application status for " + application.id() + " (phase: " + phase + ")"
                    + (message.isEmpty() ? "" : ": " + message)));
            effects.add(new FollowingEffect.Wake(settings.report()));
        }
        return drain();
    }

    private void judge(PodFacts pod) {
        Optional<ContainerFacts> own = pod.container(DriverObjects.CONTAINER);
        boolean ended = own.filter(ContainerFacts::hasEnded).isPresent();
        boolean isLast =
                !settings.supervised() || pod.deleting(); // a container of a pod that is deleted stays as it is
        if (pod.isTerminal() || (ended && (isLast || own.get().exitCode().getAsInt() == 0))) {
            end();
        } else if (own.filter(ContainerFacts::running).isPresent()) {
            running(pod);
        } else if (ended || (own.isPresent() && own.get().waiting().equals(ContainerFacts.BACK_OFF))) {
            state = State.RESTARTING;
            restarts(own.get().exitCode(), attempt + 1);
        } else if (pod.isScheduled()) {
            state = State.STARTING;
            starting(pod);
        } else {
            String words = pod.unscheduled();
            tell(told, words.isEmpty() ? "waits for a node" : "waits for a node: " + words, OptionalInt.empty(), "");
        }
    }

    private void running(PodFacts pod) {
        if (runningAttempt > 0 && attempt > runningAttempt && told == SubmissionState.RUNNING) {
            restarts(OptionalInt.empty(), attempt); // its end was not seen
        }
        state = State.RUNNING;
        hindrance = "";
        runningAttempt = attempt;
        tell(SubmissionState.RUNNING, pod.deleting() ? "is being ended" : "", OptionalInt.empty(), "");
    }

    /** The container has failed with {@code exit}, if that is known, and start number {@code next} follows. */
    private void restarts(OptionalInt exit, int next) {
        OptionalInt code = exit.isPresent()
                ? exit
                : last.flatMap(DriverFollowing::own)
                        .map(PodDetails.ContainerDetails::lastExit)
                        .orElseGet(OptionalInt::empty);
        String why = code.isPresent()
                ? "exit status " + code.getAsInt() + Verdict.explained(code.getAsInt())
                : "the driver has failed";
        if (told == SubmissionState.SUBMITTED) { // it failed before it was seen running
            tell(SubmissionState.RUNNING, "", OptionalInt.empty(), "");
        }
        tell(SubmissionState.RELAUNCHING, why + "; start " + next + " follows", OptionalInt.empty(), "");
    }

    private static Optional<PodDetails.ContainerDetails> own(ObjectFacts pod) {
        return pod.details().flatMap(details -> details.container(DriverObjects.CONTAINER));
    }

    private void starting(PodFacts pod) {
        Optional<String> hindered = Verdict.hindrance(pod, DriverObjects.CONTAINER);
        if (hindered.isEmpty()) {
            hindrance = "";
            tell(told, "starts on node " + pod.node(), OptionalInt.empty(), "");
            return;
        }
        if (hindrance.isEmpty()) {
            hinderedNanos = now;
            effects.add(new FollowingEffect.Wake(HOPELESS_BOUND));
            effects.add(new FollowingEffect.Wake(settings.imageTimeout()));
        }
        hindrance = hindered.get();
        Duration bound = Verdict.isHopeless(pod, DriverObjects.CONTAINER) ? HOPELESS_BOUND : settings.imageTimeout();
        if (now - hinderedNanos - bound.toNanos() >= 0) {
            state = State.ABANDONING;
            effects.add(new FollowingEffect.DeletePod());
            effects.add(new FollowingEffect.Wake(DELETE_BOUND));
            abandonedNanos = now;
        } else {
            tell(told, "does not start: " + hindrance, OptionalInt.empty(), "");
        }
    }

    /** The container has ended, or will never run. */
    private void end() {
        state = State.ENDING;
        effects.add(new FollowingEffect.ReadLog());
    }

    /** Reports the end by the last facts. */
    private void finish(String log) {
        PodFacts pod = last.orElseThrow().requirePod();
        Optional<ContainerFacts> own = pod.container(DriverObjects.CONTAINER).filter(ContainerFacts::hasEnded);
        say(PodLines.ends(last.get()));
        say(List.of("Application " + application.name() + " with application ID " + application.id()
                + " and submission ID " + application.submission() + " finished"));
        if (own.isEmpty()) {
            String why = hindrance.isEmpty() ? words(pod.reason(), pod.message()) : hindrance;
            finish(
                    SubmissionState.ERROR,
                    "the driver's container never ran" + (why.isEmpty() ? "" : ": " + why),
                    OptionalInt.of(ExitCode.START_FAILED.status()),
                    log);
            return;
        }
        int code = own.get().exitCode().getAsInt();
        if (code == 0) {
            finish(SubmissionState.FINISHED, "", OptionalInt.of(0), log);
            return;
        }
        String reason = own.get().ended();
        String why = reason.equals("OOMKilled")
                ? "OOMKilled: raise hearth.driver.memory for the heap, or hearth.driver.memoryOverhead for the rest"
                : words(words(pod.reason(), pod.message()), reason(own.get().message(), log));
        finish(
                pod.deleting() ? SubmissionState.KILLED : SubmissionState.FAILED,
                "exit status " + code + Verdict.explained(code) + (why.isEmpty() ? "" : ", " + why),
                OptionalInt.of(code),
                log);
    }

    /** The reason in the message of a container, which is the end of its log: the error, or all of it if no log is shown. */
    private static String reason(String message, String log) {
        return message.lines()
                .filter(line -> line.startsWith(ERROR))
                .reduce((first, last) -> last)
                .orElse(log.isEmpty() ? message.strip() : "");
    }

    private void finish(SubmissionState how, String words, OptionalInt exitStatus, String log) {
        staleReason = "";
        tell(how, words, exitStatus, log);
        state = State.ENDED;
    }

    private void tell(SubmissionState next, String words, OptionalInt exitStatus, String log) {
        message = words;
        boolean isNew = next != told || !words.equals(toldMessage);
        if (!isNew || !(next == told || told.leadsTo(next))) {
            return;
        }
        boolean hinders =
                next == SubmissionState.RELAUNCHING || (next == SubmissionState.SUBMITTED && words.contains(": "));
        told = next;
        toldMessage = words;
        if (hinders) {
            say(List.of("driver pod " + podName() + (next == SubmissionState.RELAUNCHING ? ": " : " ") + words));
        }
        effects.add(new FollowingEffect.Changed(next, placement(), words, exitStatus, attempt, log));
    }

    private String podName() {
        return last.map(ObjectFacts::name).orElse("");
    }

    private String placement() {
        return last.map(pod -> "pod " + pod.name()
                        + (pod.requirePod().node().isEmpty()
                                ? ""
                                : " on node " + pod.requirePod().node()))
                .orElse("");
    }

    private static String words(String first, String second) {
        return first.isEmpty() || second.isEmpty() ? first + second : first + ": " + second;
    }

    private void say(List<String> lines) {
        saidNanos = now;
        effects.add(new FollowingEffect.Say(lines));
    }

    private List<FollowingEffect> drain() {
        List<FollowingEffect> drained = List.copyOf(effects);
        effects.clear();
        return drained;
    }
}
