package dev.hearth.kubernetes.internal.kubeconfig;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Content of kubeconfig files. */
class KubeconfigTest {
    @TempDir
    private Path home;

    private Path write(String name, String text) throws IOException {
        Path file = home.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** The selection of a file at the usual place whose only user is {@code user}. */
    private Kubeconfig.Selection of(String user) throws IOException {
        write(".kube/config", """
                current-context: here
                contexts: [{name: here, context: {cluster: main, user: me, namespace: team}}]
                clusters: [{name: main, cluster: {server: "https://h:6443", certificate-authority: ca.pem, tls-server-name: api, proxy-url: "http://p:1"}}]
                users:
                - name: me
                  user: USER
                """.replace("USER", user));
        return Kubeconfig.find(Map.of(), home)
                .orElseThrow()
                .select(Optional.empty())
                .orElseThrow();
    }

    private String refusal(String user) {
        HearthException refused = assertThrows(HearthException.class, () -> of(user));
        assertEquals("CLUSTER_UNREACHABLE", refused.code());
        return refused.getMessage();
    }

    @Test
    void readsTheCurrentContext() throws Exception {
        Kubeconfig.Selection found = of("{token: t, as: admin, as-groups: [a, b], as-user-extra: {why: [c]}}");
        assertEquals("team", found.namespace());
        assertEquals(
                new ClusterEntry(
                        "https://h:6443", TextSource.of(home.resolve(".kube/ca.pem")), false, "api", "http://p:1"),
                found.cluster());
        assertEquals("t", found.user().token().read());
        assertEquals(
                Map.of(
                        "Impersonate-User", List.of("admin"),
                        "Impersonate-Group", List.of("a", "b"),
                        "Impersonate-Extra-why", List.of("c")),
                found.user().impersonation());
        assertFalse(found.toString().contains("t,"), found::toString);
    }

    @Test
    void prefersDataAndTokenFiles() throws Exception {
        Path token = write(".kube/token", "from-file");
        UserEntry user = of("{tokenFile: token, token: t, client-certificate-data: Yw==, client-certificate: c.pem,"
                        + " client-key: /k.pem, username: u, password: p}")
                .user();
        assertEquals(TextSource.of(token), user.token());
        assertEquals("c", user.certificate().read());
        assertEquals(TextSource.of(Path.of("/k.pem")), user.key());
        assertEquals("u", user.login());
    }

    @Test
    void mergesFilesInTheirOrder() throws Exception {
        Path one = write("a/one", """
                contexts: [{name: x, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: "https://one", certificate-authority: ca}}]
                """);
        Path two = write("b/two", """
                current-context: x
                contexts: [{name: x, context: {cluster: other}}, {name: y, context: {cluster: c}}]
                clusters: [{name: c, cluster: {server: "https://two"}}]
                users: [{name: u, user: {tokenFile: t}}]
                """);
        Map<String, String> environment = Map.of("KUBECONFIG", one + ":" + home.resolve("none") + ":" + two);
        Kubeconfig merged = Kubeconfig.find(environment, home).orElseThrow();
        Kubeconfig.Selection found = merged.select(Optional.empty()).orElseThrow();
        assertEquals("https://one", found.cluster().server());
        assertEquals(TextSource.of(home.resolve("a/ca")), found.cluster().certificates());
        assertEquals(TextSource.of(home.resolve("b/t")), found.user().token());
        assertEquals(
                UserEntry.NONE, merged.select(Optional.of("y")).orElseThrow().user());
        HearthException missing = assertThrows(HearthException.class, () -> merged.select(Optional.of("z")));
        assertTrue(
                missing.getMessage().contains("context 'z' is missing (expected: one of [x, y])"), missing::getMessage);
    }

    @Test
    void isAbsentWithoutFilesAndSelectsNothingWithoutAContext() throws Exception {
        assertEquals(Optional.empty(), Kubeconfig.find(Map.of(), home));
        write(".kube/config", "");
        assertEquals(
                Optional.empty(), Kubeconfig.find(Map.of(), home).orElseThrow().select(Optional.empty()));
    }

    @Test
    void refusesMalformedFilesWithoutTheirText() throws Exception {
        for (String text : List.of("a: [s3cret", "[s3cret]", "users: {{s3cret}\n: x")) {
            write(".kube/config", text);
            HearthException refused = assertThrows(HearthException.class, () -> Kubeconfig.find(Map.of(), home));
            assertTrue(
                    refused.getMessage().startsWith("kubeconfig " + home.resolve(".kube/config")), refused::getMessage);
            assertFalse(refused.getMessage().contains("s3cret"), refused::getMessage);
        }
        String data = refusal("{client-key-data: \"s3cret!!=x\"}");
        assertTrue(data.contains("client-key-data is malformed (expected: Base64)"), data);
        assertFalse(data.contains("s3cret"), data);
    }

    @Test
    void refusesAuthProvidersByNameWithWhatToDo() {
        String google = refusal("{auth-provider: {name: gcp, config: {access-token: s3cret}}}");
        assertTrue(google.contains("user 'me': auth-provider 'gcp' (expected: "), google);
        assertTrue(
                google.endsWith("install gke-gcloud-auth-plugin and run 'gcloud container clusters get-credentials'"));
        assertTrue(refusal("{auth-provider: {name: azure}}").contains("kubelogin convert-kubeconfig"));
        assertTrue(refusal("{auth-provider: {name: oidc}}").contains("OpenID Connect"));
        assertTrue(refusal("{auth-provider: {name: openstack}}").endsWith("ask for its exec plug-in"));
    }

    @Test
    void readsPluginsOfBothVersions() throws Exception {
        ExecPlugin plugin = of("{exec: {apiVersion: client.authentication.k8s.io/v1beta1, command: ./bin/get,"
                        + " args: [-x, 1], env: [{name: A, value: b}], installHint: get it}}")
                .user()
                .plugin()
                .orElseThrow();
        assertEquals(home.resolve(".kube/bin/get").toString(), plugin.command());
        assertEquals(List.of("-x", "1"), plugin.arguments());
        assertEquals(Map.of("A", "b"), plugin.environment());
        assertEquals("", plugin.cluster());
        ExecPlugin later =
                of("{exec: {apiVersion: client.authentication.k8s.io/v1, command: aws, interactiveMode: Never}}")
                        .user()
                        .plugin()
                        .orElseThrow();
        assertEquals("aws", later.command());
    }

    @Test
    void tellsPluginsAboutTheirClusterIfTheyAsk() throws Exception {
        write(".kube/ca.pem", "PEM");
        ExecPlugin plugin =
                of("{exec: {apiVersion: client.authentication.k8s.io/v1, command: get, interactiveMode: Never,"
                                + " provideClusterInfo: true}}")
                        .user()
                        .plugin()
                        .orElseThrow();
        assertEquals(
                "{\"server\":\"https://h:6443\",\"tls-server-name\":\"api\",\"proxy-url\":\"http://p:1\","
                        + "\"certificate-authority-data\":\"UEVN\"}",
                plugin.cluster());
    }

    @Test
    void refusesPluginsThatItCannotRun() {
        assertTrue(
                refusal("{exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: aws}}")
                        .contains(
                                "apiVersion 'client.authentication.k8s.io/v1alpha1' (expected: client.authentication.k8s.io/v1"));
        assertTrue(refusal("{exec: {apiVersion: client.authentication.k8s.io/v1, command: aws}}")
                .contains("without interactiveMode"));
        assertTrue(refusal("{exec: {apiVersion: client.authentication.k8s.io/v1, command: a, interactiveMode: Always}}")
                .contains("runs without a terminal"));
        assertTrue(refusal("{exec: {apiVersion: client.authentication.k8s.io/v1beta1}}")
                .contains("without command"));
    }
}
