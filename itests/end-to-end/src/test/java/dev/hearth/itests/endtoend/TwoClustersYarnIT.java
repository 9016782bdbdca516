package dev.hearth.itests.endtoend;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.itests.endtoend.app.TwoClusters;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Applications of one process on two clusters of YARN and HDFS (row Y34; SecureYarnIT has two users). */
@EnabledIfSystemProperty(named = "hearth.yarn", matches = "true")
@Timeout(600)
class TwoClustersYarnIT {
    private static final int STATUS_SECONDS_MAX = 240;

    @TempDir
    static Path scratch;

    private static String master(HadoopLab lab) {
        return "yarn[" + lab.configuration() + "]";
    }

    private static String applications(HadoopLab lab) throws Exception {
        return lab.page("resourcemanager.webapp.address", "/ws/v1/cluster/apps");
    }

    @Test
    void keepsApplicationsFilesAndExecutorsOfTwoClustersApart() throws Exception {
        try (OnYarn yarn = OnYarn.start(scratch, HadoopLab.Plan.ofYarn(1));
                HadoopLab other = HadoopLab.start(scratch.resolve("other"), HadoopLab.Plan.ofYarn(1));
                Gate gate = new Gate();
                Launched launched = yarn.submit(OnYarn.join(
                        new String[] {
                            "--conf", "hearth.yarn.unmanagedAM.enabled=true", "--conf", "hearth.executor.instances=1"
                        },
                        yarn.program(
                                TwoClusters.class, String.valueOf(gate.port()), master(yarn.lab()), master(other))))) {
            for (String word : List.of("one", "other")) {
                Gate.Visitor task = gate.next();
                assertEquals(word, task.who(), launched::errors);
                task.pass();
            }
            Gate.Visitor driver = gate.next();
            List<String> ids = List.of(driver.who().split(",", -1));
            assertNotEquals(ids.get(0), ids.get(1));
            assertTrue(applications(yarn.lab()).contains(ids.get(0)), applications(yarn.lab()));
            assertTrue(applications(other).contains(ids.get(1)), applications(other));
            for (String id : ids) {
                assertEquals(1, yarn.processes(id, "executor").size(), id);
            }
            driver.pass();
            assertEquals(0, launched.status(STATUS_SECONDS_MAX), launched::errors);
            assertEquals("[one] and [other]\n", launched.output());
            assertEquals("one\n", yarn.lab().dfs("-cat", "/two-clusters/part-*"));
            assertEquals("other\n", other.dfs("-cat", "/two-clusters/part-*"));
            System.out.println("Y34: " + driver.who() + " of one process on two clusters");
            for (String id : ids) {
                yarn.awaitNothingLeft(id);
            }
        }
    }
}
