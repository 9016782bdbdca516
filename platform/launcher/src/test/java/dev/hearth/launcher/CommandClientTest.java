package dev.hearth.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions about a submission by {@code bin/submit}, whose process is a double. */
class CommandClientTest {
    private final List<List<String>> asked = new ArrayList<>();

    @Test
    void readsTheAnswerOfSubmit() throws Exception {
        SubmissionAnswer answer = client(0, """
                {"submission":"driver-1","state":"FAILED","final":true,"placement":null,"exitStatus":3,"attempt":1,
                "message":"exit 3","links":{"stdout":"http://w/stdout"}}
                """, "").status("driver-1");

        assertEquals(
                new SubmissionAnswer("FAILED", "exit 3", OptionalInt.of(3), Map.of("stdout", "http://w/stdout")),
                answer);
        assertEquals(List.of(List.of("--status", "driver-1", "--json")), asked);
    }

    @Test
    void asksForTheEnd() throws Exception {
        client(0, "driver-1: was RUNNING; kill requested\n", "").kill("driver-1");

        assertEquals(List.of(List.of("--kill", "driver-1")), asked);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 5, 7})
    void mayAskAgainIfTheClusterIsNotThere(int status) {
        IOException failure = assertThrows(
                IOException.class,
                () -> client(status, "", "warning: x\nerror: not there\n").status("driver-1"));

        assertEquals("error: not there", failure.getMessage());
        assertFalse(failure instanceof FollowedCluster.Refused);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void doesNotAskAgainAfterARefusal(int status) {
        assertThrows(
                FollowedCluster.Refused.class,
                () -> client(status, "", "error: unknown\n").status("driver-1"));
    }

    private CommandClient client(int status, String output, String errors) {
        return new CommandClient(words -> {
            asked.add(words);
            FakeProcess process = new FakeProcess(output, errors);
            process.exitWith(status);
            return process;
        });
    }
}
