package dev.hearth.yarn.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.yarn.internal.store.StoreSweep.Life;
import dev.hearth.yarn.internal.store.StoreSweep.Result;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StoreSweepTest {
    private static final String ROOT = "/user/a/.hearth/store";
    private static final String STAGING = "/user/a/.hearthStaging";
    private static final Duration KEEP = Duration.ofDays(30);

    private final SimulatedFiles files = new SimulatedFiles();
    private final Map<String, Life> applications = new LinkedHashMap<>();

    private Result sweep() throws IOException {
        return new StoreSweep(files, ROOT, STAGING, KEEP, name -> applications.getOrDefault(name, Life.UNKNOWN))
                .run(files.now());
    }

    private void write(String path, String content) throws IOException {
        files.write(path, 0600, 0, () -> new ByteArrayInputStream(content.getBytes(UTF_8)));
    }

    private static String content(int number) {
        return "ab/" + String.format("%064x", number) + "-a.jar";
    }

    @Test
    void removesEverythingOfAHundredKilledApplicationsAndNothingOfALivingOne() throws IOException {
        for (int i = 1; i <= 100; i++) {
            String name = "application_1_" + String.format("%04d", i);
            applications.put(name, Life.ENDED);
            write(STAGING + "/" + name + "/hearth.orders", "orders");
            write(ROOT + "/leases/" + name, content(i) + "\n");
            write(ROOT + "/" + content(i), "code");
        }
        applications.put("application_1_0101", Life.LIVE);
        write(STAGING + "/application_1_0101/hearth.orders", "orders");
        write(ROOT + "/leases/application_1_0101", content(101) + "\n");
        write(ROOT + "/" + content(101), "code");
        files.pass(KEEP.toMillis() + 1);
        assertEquals(new Result(100, 100, 100), sweep());
        assertEquals(
                List.of(
                        ROOT + "/" + content(101),
                        ROOT + "/leases/application_1_0101",
                        ROOT + "/swept",
                        STAGING + "/application_1_0101/hearth.orders"),
                files.paths());
    }

    @Test
    void keepsAYoungContentWithoutALease() throws IOException {
        write(ROOT + "/" + content(1), "code");
        files.pass(KEEP.toMillis());
        assertEquals(Result.NOTHING, sweep());
    }

    @Test
    void keepsTheFilesOfAnApplicationThatIsAboutToBeSubmitted() throws IOException {
        write(STAGING + "/application_1_0001/hearth.orders", "orders");
        write(ROOT + "/leases/application_1_0001", content(1) + "\n");
        assertEquals(Result.NOTHING, sweep());
        files.pass(Duration.ofDays(1).toMillis());
        assertEquals(new Result(1, 0, 1), sweep());
    }

    @Test
    void sweepsOnceADay() throws IOException {
        sweep();
        applications.put("application_1_0001", Life.ENDED);
        write(STAGING + "/application_1_0001/hearth.orders", "orders");
        files.pass(Duration.ofHours(23).toMillis());
        assertEquals(Result.NOTHING, sweep());
        files.pass(Duration.ofHours(1).toMillis());
        assertEquals(new Result(0, 0, 1), sweep());
    }

    @Test
    void leavesTheSweepToTheOwnerOfTheLockForAnHour() throws IOException {
        write(ROOT + "/lock", "sweep");
        applications.put("application_1_0001", Life.ENDED);
        write(STAGING + "/application_1_0001/hearth.orders", "orders");
        assertEquals(Result.NOTHING, sweep());
        files.pass(Duration.ofHours(1).toMillis());
        assertEquals(new Result(0, 0, 1), sweep());
        assertTrue(files.look(ROOT + "/lock").isEmpty());
    }

    @Test
    void givesTheLockBackIfTheClusterDoesNotAnswer() throws IOException {
        write(STAGING + "/application_1_0001/hearth.orders", "orders");
        StoreSweep sweep = new StoreSweep(files, ROOT, STAGING, KEEP, name -> {
            throw new IOException("no answer");
        });
        assertThrows(IOException.class, () -> sweep.run(files.now()));
        assertTrue(files.look(ROOT + "/lock").isEmpty());
        assertTrue(files.look(ROOT + "/swept").isEmpty());
    }

    @Test
    void removesUploadsThatNobodyFinished() throws IOException {
        write(ROOT + "/in/one", "code");
        files.pass(Duration.ofDays(2).toMillis());
        write(ROOT + "/in/two", "code");
        sweep();
        assertEquals(List.of(ROOT + "/in/two", ROOT + "/swept"), files.paths());
    }
}
