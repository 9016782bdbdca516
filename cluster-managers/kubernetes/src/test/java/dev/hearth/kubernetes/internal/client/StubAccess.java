package dev.hearth.kubernetes.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ApiObject;
import dev.hearth.kubernetes.internal.api.ApiServer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.spi.cluster.MasterUrl;
import dev.hearth.spi.settings.Settings;
import dev.hearth.testkit.FakeTicker;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Opens clients of a stub as a process with certain variables, a home directory and a clock would. */
final class StubAccess {
    static final ApiObject OBJECT = new ApiObject(Resource.POD, "a-exec-1", Map.of(), Optional.empty(), "{}");
    static final String POD = text("pod.json").replaceAll("\\n\\s*", "");
    private static final int WAIT_SECONDS_MAX = 30;

    final FakeTicker ticker = new FakeTicker();
    final Map<String, String> environment = new LinkedHashMap<>();
    final Path home;

    StubAccess(Path home) {
        this.home = home;
    }

    /** Text of a file of the tests. */
    static String text(String name) {
        try (var in = Objects.requireNonNull(StubAccess.class.getResourceAsStream("/" + name), name)) {
            return new String(in.readAllBytes(), UTF_8);
        } catch (IOException unreadable) {
            throw new IllegalStateException(unreadable);
        }
    }

    /** Client for {@code master} with settings {@code hearth.kubernetes.KEY}. */
    ApiServer open(String master, String... settings) {
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < settings.length; i += 2) {
            values.put("hearth.kubernetes." + settings[i], settings[i + 1]);
        }
        return new ApiServerAccess(environment, home, account(), ticker)
                .server(
                        MasterUrl.parse(master),
                        ClusterSettings.from(Settings.empty().with("test", values)));
    }

    private ApiServerAccess.PodAccount account() {
        ApiServerAccess.PodAccount named = ApiServerAccess.PodAccount.of(environment);
        return new ApiServerAccess.PodAccount(named.host(), named.port(), home.resolve("account"));
    }

    static Answer answer(Consumer<Consumer<Answer>> request) throws Exception {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        request.accept(answer::complete);
        return answer.get(WAIT_SECONDS_MAX, TimeUnit.SECONDS);
    }

    static Answer read(ApiServer server) throws Exception {
        return answer(to -> server.read(Resource.POD, "a-exec-1", to));
    }

    /** Records the events of a watch in a queue. */
    record Heard(BlockingQueue<String> words) implements ApiServer.WatchListener {
        Heard() {
            this(new LinkedBlockingQueue<>());
        }

        String next() throws InterruptedException {
            return Objects.requireNonNull(words.poll(WAIT_SECONDS_MAX, TimeUnit.SECONDS), "nothing heard");
        }

        @Override
        public void changed(ObjectFacts object) {
            words.add("changed " + object.requirePod().node());
        }

        @Override
        public void deleted(ObjectFacts object) {
            words.add("deleted " + object.name());
        }

        @Override
        public void bookmark(String version) {
            words.add("bookmark " + version);
        }

        @Override
        public void ended(Answer end) {
            words.add("ended "
                    + (end instanceof Answer.Refused refused
                            ? refused.kind()
                            : end.getClass().getSimpleName()));
        }
    }
}
