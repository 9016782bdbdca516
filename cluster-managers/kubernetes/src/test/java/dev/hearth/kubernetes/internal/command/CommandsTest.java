package dev.hearth.kubernetes.internal.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.hearth.api.HearthException;
import dev.hearth.kubernetes.internal.api.Answer;
import dev.hearth.kubernetes.internal.api.ObjectFacts;
import dev.hearth.kubernetes.internal.api.RefusalKind;
import dev.hearth.kubernetes.internal.api.Resource;
import dev.hearth.kubernetes.internal.client.ClusterSettings;
import dev.hearth.kubernetes.internal.placement.Placement;
import dev.hearth.kubernetes.internal.pod.DriverObjects;
import dev.hearth.kubernetes.internal.seat.RecordingApiServer;
import dev.hearth.spi.kernel.KernelInfo;
import dev.hearth.spi.settings.Settings;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Commands of the shell: their arguments, their requests and what they print. */
class CommandsTest {
    private static final long NOW = 1_000_000;

    private final List<ClusterSettings> opened = new ArrayList<>();
    private Optional<Answer> listAnswer = Optional.empty();

    /** API server with one secret of a submitter that has died, at 11 minutes of age. */
    private final RecordingApiServer server = new RecordingApiServer() {
        @Override
        public void list(Resource resource, String selector, String next, Consumer<Answer> answer) {
            ObjectFacts secret = ObjectFacts.of("pi-submission", "u", "1")
                    .labelled(Map.of(Placement.NONCE, "n", DriverObjects.PENDING, "true"))
                    .createdAt(NOW - 660);
            List<ObjectFacts> found = resource == Resource.SECRET ? List.of(secret) : List.of();
            answer.accept(listAnswer.orElseGet(() -> new Answer.Page(found, "1", "", NOW)));
        }
    };

    private record ShellProcess(Settings settings) implements KernelInfo {
        @Override
        public String role() {
            return "exec";
        }

        @Override
        public String version() {
            return "1.0";
        }

        @Override
        public Path home() {
            return Path.of("/");
        }

        @Override
        public Instant startedAt() {
            return Instant.EPOCH;
        }

        @Override
        public Duration startTook() {
            return Duration.ZERO;
        }
    }

    private String sweep(Map<String, String> settings, String... arguments) throws InterruptedException {
        SweepCommand command =
                new SweepCommand(new ShellProcess(Settings.empty().with("test", settings)), (master, cluster) -> {
                    opened.add(cluster);
                    return server;
                });
        return command.sweep(arguments);
    }

    private static String role(String... arguments) {
        String[] all = new String[arguments.length + 1];
        all[0] = "kubernetes-role";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        return new KubernetesRoleCommand()._main(all);
    }

    @Test
    void sweepsTheNamespaceThatIsNamed() throws Exception {
        assertEquals("secret pi-submission: deleted", sweep(Map.of(), "--namespace", "team"));
        assertEquals(Optional.of("team"), opened.get(0).namespace());
        assertEquals(List.of("delete SECRET pi-submission"), server.requests);
    }

    @Test
    void saysWhatItWouldDo() throws Exception {
        assertEquals("secret pi-submission: would be deleted", sweep(Map.of(), "--dry-run"));
        assertEquals(List.of(), server.requests);
        assertEquals("nothing is left in namespace spark", sweep(Map.of(), "--older-than=20m", "--dry-run"));
        assertEquals(
                "[{\"object\":\"secret pi-submission\",\"action\":\"DELETED\"}]",
                sweep(Map.of(), "--dry-run", "--json"));
    }

    @Test
    void failsWithTheWordsOfTheApiServer() {
        listAnswer = Optional.of(new Answer.Refused(RefusalKind.DENIED, "secrets is forbidden"));
        HearthException refused = assertThrows(HearthException.class, () -> sweep(Map.of()));
        assertTrue(refused.getMessage().contains("secrets is forbidden"), refused::getMessage);
        assertTrue(refused.getMessage().contains("kubernetes-role sweeper"), refused::getMessage);
    }

    @Test
    void refusesWhatItDoesNotUnderstand() {
        for (List<String> wrong : List.of(
                List.of("all"),
                List.of("--older-than", "soon"),
                List.of("--older-than"),
                List.of("--master", "hearth://a:1"),
                List.of("--image", "hearth:1"),
                List.of("--cron"))) {
            HearthException refused =
                    assertThrows(HearthException.class, () -> sweep(Map.of(), wrong.toArray(String[]::new)));
            assertEquals("BAD_ARGUMENT", refused.code(), refused::getMessage);
            assertTrue(refused.getMessage().contains("(expected: "), refused::getMessage);
        }
    }

    @Test
    void printsAJobThatSweeps() throws Exception {
        Map<String, String> image = Map.of("hearth.kubernetes.container.image", "registry/hearth:1");
        JsonNode list = new ObjectMapper()
                .readTree(sweep(image, "--cron", "--json", "--namespace", "team", "--older-than", "30m"));
        assertEquals(4, list.size());
        JsonNode job = list.get(3);
        assertEquals("CronJob", job.path("kind").asText());
        assertEquals("team", job.at("/metadata/namespace").asText());
        assertEquals("*/15 * * * *", job.at("/spec/schedule").asText());
        JsonNode pod = job.at("/spec/jobTemplate/spec/template/spec");
        assertEquals("hearth-sweeper", pod.path("serviceAccountName").asText());
        assertEquals(
                "[\"hearth\",\"exec\",\"sweep\",\"--master\",\"k8s\",\"--older-than\",\"30m\"]",
                pod.at("/containers/0/args").toString());
        assertEquals("registry/hearth:1", pod.at("/containers/0/image").asText());
        assertTrue(sweep(Map.of(), "--cron", "--image", "i:1").contains("kind: CronJob\n"));
        assertEquals(List.of(), opened, "no cluster is needed");
    }

    @Test
    void printsRoles() throws Exception {
        String all = role();
        assertEquals(3, all.lines().filter("kind: Role"::equals).count());
        assertTrue(all.contains("name: hearth-driver") && all.contains("name: hearth-sweeper"), all);
        assertTrue(!all.contains("namespace"), all);

        JsonNode list = new ObjectMapper().readTree(role("driver", "--json", "--namespace=team", "--account", "spark"));
        assertEquals("ServiceAccount", list.get(0).path("kind").asText());
        assertEquals("hearth-driver", list.get(2).at("/roleRef/name").asText());
        assertEquals("team", list.get(2).at("/subjects/0/namespace").asText());
        assertTrue(list.get(1).at("/rules/0/verbs").toString().contains("deletecollection"));
    }

    @Test
    void refusesARoleThatIsNone() {
        assertTrue(assertThrows(HearthException.class, () -> role("admin"))
                .getMessage()
                .contains("expected: one of driver, submitter, sweeper"));
        assertTrue(assertThrows(HearthException.class, () -> role("--account", "a"))
                .getMessage()
                .contains("--account without a role"));
    }
}
