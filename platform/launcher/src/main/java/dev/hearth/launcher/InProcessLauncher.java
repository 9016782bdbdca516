package dev.hearth.launcher;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Starts applications without a process of their own, and follows them. In cluster mode, the recommended one, this program
 * asks a standalone master over HTTP, and the driver runs on a worker. On a local master, the application runs in this
 * process, by {@code dev.hearth:hearth-embedded} on its class path, with a class loader and threads of its own.
 * <p>A launcher may start many applications, also at a time. Not thread-safe.
 */
public final class InProcessLauncher extends AbstractLauncher<InProcessLauncher> {
    private static final Duration POLL_EVERY = Duration.ofSeconds(1);
    private static final String CLUSTER = "cluster";

    private Duration pollEvery = POLL_EVERY;
    private String token = "";

    @Override
    InProcessLauncher self() {
        return this;
    }

    /** Sets how often the master is asked for the state of a submission. */
    public InProcessLauncher pollEvery(Duration time) {
        pollEvery = Launcher.positive("time between questions", time);
        return this;
    }

    /** Sets the bearer token for masters that ask for one. */
    public InProcessLauncher token(String secret) {
        token = given("token", secret);
        return this;
    }

    /**
     * Starts the application. Fails if the choices contradict each other; any later failure is in the end of the returned
     * handle.
     */
    public LaunchHandle start(LaunchListener... listeners) throws IOException {
        FlagTable table = FlagTable.shipped();
        table.check(flags());
        List<String> words = command();
        boolean cluster =
                chosen(DEPLOY_MODE, LauncherConstants.DEPLOY_MODE).orElse("").equals(CLUSTER);
        if (!cluster) {
            return EmbeddedLaunch.start(words, List.of(listeners));
        }
        RestClient client = client();
        return SubmissionFollower.start(
                client.creation(SubmissionRequestBody.of(this, table)), client, pollEvery, List.of(listeners));
    }

    /**
     * Follows the submission {@code id} on the master, which this or another program has started in cluster mode, perhaps
     * before a restart.
     */
    public LaunchHandle attach(String id, LaunchListener... listeners) {
        return SubmissionFollower.attach(given("submission", id), client(), pollEvery, List.of(listeners));
    }

    private RestClient client() {
        String master = chosen(MASTER, LauncherConstants.MASTER)
                .orElseThrow(
                        () -> new IllegalStateException("master: not given (expected: that of a standalone cluster)"));
        return new RestClient(master, token);
    }

    /** The value of a flag, or else of a setting under its own name or that of Spark. */
    private Optional<String> chosen(String flag, String key) {
        return last(flag)
                .or(() -> Optional.ofNullable(settings().get(key)))
                .or(() -> Optional.ofNullable(settings().get("spark." + key.substring("hearth.".length()))));
    }
}
