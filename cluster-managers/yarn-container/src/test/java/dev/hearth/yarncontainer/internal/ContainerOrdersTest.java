package dev.hearth.yarncontainer.internal;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.role.LaunchOrders;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads the launch orders of containers from their three places. */
class ContainerOrdersTest {
    @TempDir
    Path directory;

    private final Map<String, String> environment = new HashMap<>();

    @Test
    void mergesTheFileTheEnvironmentAndTheCredentials() throws IOException {
        Files.writeString(
                directory.resolve("hearth.orders"),
                LaunchOrders.of(Map.of("hearth.app.name", "from file", "hearth.executor.id", "0"))
                        .text());
        order(Map.of("hearth.executor.id", "7", "hearth.local.dir", "/of/the/user"));
        environment.put("LOCAL_DIRS", "/disk1/app,/disk2/app");
        secret("hearth.order.hearth.authenticate.secret", "a secret with = and \u00e9");
        secret("other.alias", "not an order");
        Map<String, String> orders =
                new ContainerOrders(environment, directory).read("executor").values();
        assertEquals(
                Map.of(
                        "hearth.app.name", "from file",
                        "hearth.executor.id", "7",
                        "hearth.local.dir", "/disk1/app,/disk2/app",
                        "hearth.authenticate.secret", "a secret with = and \u00e9"),
                orders);
    }

    @Test
    void givesADriverTheHostOfItsNodeUnlessItIsNamed() throws IOException {
        environment.put("NM_HOST", "node-3");
        order(Map.of("hearth.app.name", "x"));
        assertEquals("node-3", read("driver").get("hearth.driver.host"));
        assertEquals(1, read("executor").size());
        order(Map.of("hearth.driver.host", "10.0.0.1"));
        assertEquals("10.0.0.1", read("driver").get("hearth.driver.host"));
    }

    @Test
    void keepsMarksOfTheFileUnlessAnotherPlaceOverridesThem() throws IOException {
        Files.writeString(
                directory.resolve("hearth.orders"),
                new LaunchOrders(
                                Map.of("hearth.driver.host", "${env:NM_HOST}", "hearth.jars", "${env:PWD}/app/a.jar"),
                                Set.of("hearth.driver.host", "hearth.jars"))
                        .text());
        environment.put("NM_HOST", "node-3");
        order(Map.of("hearth.jars", "${env:PWD} as the user wrote it"));
        LaunchOrders orders = new ContainerOrders(environment, directory).read("driver");
        assertEquals(Set.of("hearth.driver.host"), orders.environmentKeys());
        assertEquals("${env:NM_HOST}", orders.values().get("hearth.driver.host"));
    }

    @Test
    void refusesAContainerWithoutOrdersWithTruncatedOnesAndWithoutItsCredentials() {
        assertTrue(refusal().contains("neither the file hearth.orders nor the variable"));
        environment.put("HEARTH_ORDER_TEXT", Base64.getEncoder().encodeToString("a=b\n".getBytes(UTF_8)));
        assertTrue(refusal().contains("no line with a single dot"));
        environment.put("HEARTH_ORDER_TEXT", "*");
        assertTrue(refusal().contains("not in base64"));
        order(Map.of("a", "b"));
        environment.put("HADOOP_TOKEN_FILE_LOCATION", directory.resolve("none").toString());
        assertTrue(refusal().contains("none: missing"));
    }

    private String refusal() {
        return assertThrows(HearthException.class, () -> read("executor")).getMessage();
    }

    private Map<String, String> read(String role) throws IOException {
        return new ContainerOrders(environment, directory).read(role).values();
    }

    private void order(Map<String, String> orders) {
        String text = LaunchOrders.of(orders).text();
        environment.put("HEARTH_ORDER_TEXT", Base64.getEncoder().encodeToString(text.getBytes(UTF_8)));
    }

    private final Map<String, String> secrets = new HashMap<>();

    private void secret(String alias, String value) throws IOException {
        secrets.put(alias, value);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(HexFormat.of().parseHex("484454530000"));
        file.write(secrets.size());
        secrets.forEach((name, content) -> {
            for (String text : new String[] {name, content}) {
                byte[] bytes = text.getBytes(UTF_8);
                file.write(bytes.length);
                file.writeBytes(bytes);
            }
        });
        Path tokens = directory.resolve("container_tokens");
        Files.write(tokens, file.toByteArray());
        environment.put("HADOOP_TOKEN_FILE_LOCATION", tokens.toString());
    }
}
