package dev.hearth.yarn.internal.submission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.spi.cluster.DriverOrders;
import dev.hearth.spi.cluster.SubmissionPlan;
import dev.hearth.spi.cluster.SubmissionResource.Kind;
import dev.hearth.spi.id.SubmissionId;
import dev.hearth.spi.settings.Settings;
import dev.hearth.yarn.internal.launch.StagedFiles;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriverContainerTest {
    private static final Map<String, String> ENVIRONMENT = Map.of("PWD", "/nm/c1", "NM_HOST", "node7");

    private static DriverContainer container(Map<String, String> settings) {
        SubmissionPlan plan = SubmissionPlan.builder("pi", "example.Pi")
                .add(Kind.APPLICATION_JAR, FilePlan.DIRECTORY + "/app/a.jar")
                .arguments(List.of("${env:HOME}"))
                .settings(Settings.empty().with("test", settings))
                .build();
        return DriverContainer.of(
                plan,
                new DriverContainer.Origin(
                        new SubmissionId("application_1_0001"),
                        "sesame",
                        new StagedFiles(List.of()),
                        "hdfs://nn/user/a/.hearthStaging/application_1_0001",
                        List.of(),
                        Optional.of("keytab-1")));
    }

    private static Map<String, String> resolved(DriverContainer container) {
        return container.open().resolved(name -> Optional.ofNullable(ENVIRONMENT.get(name)));
    }

    @Test
    void namesPathsInTheDirectoryOfTheContainer() {
        Map<String, String> orders = resolved(container(Map.of(
                "hearth.kerberos.keytab", "/home/a/a.keytab",
                "hearth.kerberos.access.hadoopFileSystems", "hdfs://other:8020")));
        SubmissionPlan plan = DriverOrders.plan(orders, Settings.empty());
        assertEquals(
                "/nm/c1/app/a.jar", plan.applicationJar().orElseThrow().path().toString());
        assertEquals("/nm/c1/keytab-1", orders.get("hearth.kerberos.keytab"));
        assertEquals("hdfs://other:8020", orders.get("hearth.kerberos.access.hadoopFileSystems"));
        assertEquals("node7", orders.get("hearth.driver.host"));
        assertTrue(DriverOrders.areSeated(orders));
    }

    @Test
    void leavesTextOfTheUserAsItIs() {
        assertEquals(
                List.of("${env:HOME}"),
                DriverOrders.plan(resolved(container(Map.of())), Settings.empty())
                        .arguments());
    }

    @Test
    void putsSecretsIntoTheCredentialsAlone() {
        DriverContainer container = container(Map.of("hearth.ssl.keyPassword", "hush"));
        String text = container.open().text();
        assertFalse(text.contains("sesame") || text.contains("hush"), text);
        assertEquals(
                "sesame",
                new String(
                        container
                                .secrets()
                                .get("hearth.order.hearth.authenticate.applicationSecret")
                                .toArray(),
                        UTF_8));
        assertEquals(
                "hush",
                new String(
                        container
                                .secrets()
                                .get("hearth.order.hearth.ssl.keyPassword")
                                .toArray(),
                        UTF_8));
    }

    @Test
    void leavesOutWhatOnlyTheSubmitterNeeds() {
        Map<String, String> orders = resolved(container(Map.of(
                "hearth.yarn.confDir", "/etc/hadoop",
                "hearth.yarn.dist.files", "/home/a/f",
                "hearth.driver.host", "10.0.0.1")));
        assertFalse(orders.containsKey("hearth.yarn.confDir"));
        assertFalse(orders.containsKey("hearth.yarn.dist.files"));
        assertEquals("node7", orders.get("hearth.driver.host"));
    }
}
