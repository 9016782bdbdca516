package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.hearth.kernel.internal.deploy.StartRule;
import dev.hearth.kernel.internal.deploy.StartRule.Kind;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import java.util.jar.Attributes;
import org.junit.jupiter.api.Test;

/** The header Hearth-Role in deploy/: as in bundles/. */
class RoleStartRulesTest {
    private static final Settings LOGGING = Settings.empty().with("conf", "hearth.eventLog.enabled", "true");

    @Test
    void startsBundlesWithoutTheHeaderAndThoseOfTheRole() {
        assertEquals(StartRule.ALWAYS, rule("", "serve", Settings.empty()));
        StartRule rule = rule("master;worker;main=true,serve;needs=\"lib more\"", "serve", Settings.empty());
        assertEquals(Kind.ALWAYS, rule.kind());
        assertEquals(List.of("lib", "more"), rule.needs());
    }

    @Test
    void neverStartsBundlesOfOtherRoles() {
        assertEquals(
                StartRule.never("it is for the roles [master, worker], and this process has the role serve"),
                rule("worker,master;main=true", "serve", Settings.empty()));
    }

    @Test
    void startsOnDemandUnlessTheProcessHasWhatStartsIt() {
        String header = "submit;when=\"master:far hearth.eventLog.*\";needs=lib";
        assertEquals(
                new StartRule(
                        Kind.ON_DEMAND,
                        List.of("master:far", "hearth.eventLog.*", "package:org.far.*"),
                        List.of("lib"),
                        "it starts when one of [master:far, hearth.eventLog.*, package:org.far.*] is needed"),
                rule(header, "submit", Settings.empty()));
        assertEquals(Kind.ALWAYS, rule(header, "submit", LOGGING).kind());
    }

    @Test
    void startsForAnArgument() {
        String header = "exec;argument=\"--to\"";
        assertEquals(
                Kind.ALWAYS, rule(header, "exec", Settings.empty(), "--to", "x").kind());
        assertEquals(
                StartRule.never("it starts only for the arguments [--to]"), rule(header, "exec", Settings.empty()));
    }

    @Test
    void refusesAnInvalidHeader() {
        assertEquals(
                "Hearth-Role: 'whn' (expected: attributes among [argument, help, main, needs, when])",
                assertThrows(IllegalArgumentException.class, () -> rule("serve;whn=x", "serve", Settings.empty()))
                        .getMessage());
    }

    private static StartRule rule(String header, String role, Settings settings, String... arguments) {
        Attributes manifest = new Attributes();
        if (!header.isEmpty()) {
            manifest.putValue("Hearth-Role", header);
        }
        if (header.contains("far")) {
            manifest.putValue("Hearth-Application-Api", "org.far.*");
        }
        return new RoleStartRules(role, List.of(arguments), settings).apply(manifest);
    }
}
