package dev.hearth.kernel.internal.boot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Parsing of the manifest header that names the roles of a bundle. */
class RoleClauseTest {
    @Test
    void readsRolesThatShareAttributesAndRolesWithout() {
        List<RoleClause> clauses = RoleClause.parse(
                "master; worker;main=true, serve ,submit;when=\"master:far  hearth.far.*\";needs=\"net far-lib\","
                        + "exec;argument=\"managers s:list\"");
        assertEquals(
                List.of(
                        new RoleClause(Set.of("master", "worker"), true, List.of(), List.of(), List.of(), ""),
                        new RoleClause(Set.of("serve"), false, List.of(), List.of(), List.of(), ""),
                        new RoleClause(
                                Set.of("submit"),
                                false,
                                List.of("master:far", "hearth.far.*"),
                                List.of(),
                                List.of("net", "far-lib"),
                                ""),
                        new RoleClause(Set.of("exec"), false, List.of(), List.of("managers", "s:list"), List.of(), "")),
                clauses);
        assertEquals(List.of(), RoleClause.parse(""));
    }

    @Test
    void comparesTheFirstWordOfEachArgument() {
        RoleClause exec = RoleClause.parse("exec;argument=\"--to s:list\"").get(0);
        assertFalse(exec.isUnconditional());
        assertTrue(exec.isRequestedBy(List.of("--from", "--to", "x")));
        assertTrue(exec.isRequestedBy(List.of(" s:list --all")));
        assertFalse(exec.isRequestedBy(List.of("to", "s:lists", "x --to")));
        assertFalse(exec.isRequestedBy(List.of()));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "submit;whn=x        | 'whn' (expected: attributes among [argument, help, main, needs, when])",
                "submit;main=yes     | 'main=yes' (expected: true or false)",
                "submit;when=\" \"   | 'when=''' (expected: words separated by blanks)",
                "a;main=true;when=b  | 'main and when' (expected: a bundle that runs a role starts with it)",
                "a role              | 'a role' (expected: the name of a role)",
                "submit,exec;submit  | 'submit' (expected: each role once)",
                "main=true           | 'main=true' (expected: roles before attributes)"
            })
    void refusesWhatItDoesNotKnow(String header, String message) {
        IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> RoleClause.parse(header));
        assertEquals(message, refused.getMessage());
    }
}
