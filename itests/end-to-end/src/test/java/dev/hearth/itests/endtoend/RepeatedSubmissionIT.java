package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.testkit.machine.Eventually;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * A submitter is killed before it has the answer of the leader, which is killed too; another submitter asks the next leader with
 * the same request id: drill 15. One driver runs, whatever the first leader had done. Runs with {@code -Pcrash}.
 */
@EnabledIfSystemProperty(named = ZooKeeperProcess.JARS, matches = ".+")
@Timeout(600)
class RepeatedSubmissionIT {
    private static final int MASTERS = 3;
    private static final int ROUNDS = 5;
    private static final Duration BOUND = Duration.ofSeconds(90);
    private static final Pattern DRIVER = Pattern.compile("driver-\\d{14}-\\d{4,}");

    @TempDir
    Path scratch;

    private Installation installation;
    private MasterGroup masters;

    @Test
    void startsOneDriverForOneRequestId() throws Exception {
        installation = Installation.in(scratch);
        int taken = 0;
        try (ZooKeeperProcess server = ZooKeeperProcess.in(scratch);
                MasterGroup group =
                        MasterGroup.start(installation, MASTERS, number -> MasterGroup.inZooKeeper(server.port()))) {
            masters = group;
            try (Launched worker = masters.worker(masters.url(), "work", 4)) {
                completed(masters.url(), "first"); // which sends the file
                for (int round = 0; round < ROUNDS; round++) {
                    taken += isTakenBefore(round) ? 1 : 0;
                }
                Eventually.until(
                        "all have run",
                        () -> Files.readAllLines(lines()).size() >= 1 + 2 * ROUNDS,
                        BOUND,
                        worker::errors);
                List<String> ran = Files.readAllLines(lines());
                assertEquals(1 + 2 * ROUNDS, new LinkedHashSet<>(ran).size(), ran::toString);
                assertEquals(1 + 2 * ROUNDS, ran.size(), ran::toString);
            }
        }
        System.out.println("of " + ROUNDS + " requests without an answer the killed leader had taken " + taken
                + "; each has one driver");
        assertTrue(taken > 0, "no request was under way");
    }

    /** Loses an answer after a part of what a submission sends, which grows with {@code round}; true if the leader had taken the request. */
    private boolean isTakenBefore(int round) throws Exception {
        int leader = masters.awaitLeader();
        InetSocketAddress address = new InetSocketAddress("127.0.0.1", masters.port(leader));
        try (TroubledRelay relay = new TroubledRelay("127.0.0.1", 0, address)) {
            String url = MasterGroup.url(List.of(relay.port()));
            completed(url, "whole-" + round);
            long bytes = relay.asked();
            Set<String> before = drivers(leader);
            relay.muteAfter(bytes * (2 * round + 1) / (2 * ROUNDS));
            try (Launched unanswered = submit(url, "lost-" + round)) {
                boolean hasEnded = unanswered.hasEndedWithin(Duration.ofSeconds(5)); // it waits for an answer
                assertFalse(hasEnded && unanswered.status() == 0, unanswered::errors);
                unanswered.kill();
            }
            Set<String> after = drivers(leader);
            after.removeAll(before);
            masters.process(leader).kill();
            masters.awaitLeaderBut(leader);
            masters.restart(leader);
            String id = completed(masters.url(), "lost-" + round);
            assertTrue(after.isEmpty() || after.equals(Set.of(id)), () -> after + " and " + id);
            assertEquals(id, completed(masters.url(), "lost-" + round));
            return !after.isEmpty();
        }
    }

    private Set<String> drivers(int master) {
        Set<String> ids = new LinkedHashSet<>();
        Matcher matcher = DRIVER.matcher(masters.page(master, "/json"));
        while (matcher.find()) {
            ids.add(matcher.group());
        }
        return ids;
    }

    private Path lines() {
        return scratch.resolve("lines");
    }

    private Launched submit(String url, String request) throws IOException {
        List<String> arguments = new ArrayList<>(List.of("--master", url, "--deploy-mode", "cluster"));
        arguments.addAll(List.of("--driver-memory", "64m", "--request-id", request));
        arguments.addAll(List.of("--conf", "hearth.standalone.submit.waitAppCompletion=false"));
        arguments.addAll(List.of("--class", "dev.hearth.itests.endtoend.app.AppendsLine"));
        arguments.addAll(List.of(installation.applications().toString(), lines().toString(), request));
        return installation.submit(arguments.toArray(String[]::new));
    }

    /** Submits, and returns the id of the driver. */
    private String completed(String url, String request) throws Exception {
        try (Launched submit = submit(url, request)) {
            assertEquals(0, submit.status(), submit::errors);
            Matcher id = DRIVER.matcher(submit.errors());
            assertTrue(id.find(), submit::errors);
            return id.group();
        }
    }
}
