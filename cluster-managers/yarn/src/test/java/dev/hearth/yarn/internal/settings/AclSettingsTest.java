package dev.hearth.yarn.internal.settings;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.hearth.spi.settings.Settings;
import dev.hearth.spi.settings.SettingsReader;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The access lists of an application, as YARN reads them. */
class AclSettingsTest {
    private static Map<String, String> lists(Map<String, String> settings) {
        SettingsReader in = new SettingsReader(Settings.empty().with("test", settings));
        AclSettings acls = AclSettings.read(in);
        in.finish();
        return acls.lists("alice");
    }

    @Test
    void letsTheOwnerAloneSeeAndEndAnApplication() {
        assertEquals(Map.of("VIEW_APP", "alice", "MODIFY_APP", "alice"), lists(Map.of()));
    }

    @Test
    void addsUsersAndGroupsAndAdministratorsToBoth() {
        assertEquals(
                Map.of("VIEW_APP", "alice,root,bob,carol ops,staff", "MODIFY_APP", "alice,root,dan ops"),
                lists(Map.of(
                        "spark.ui.view.acls", "bob, carol",
                        "spark.ui.view.acls.groups", "staff",
                        "spark.modify.acls", "dan",
                        "spark.admin.acls", "root",
                        "spark.admin.acls.groups", "ops")));
    }

    @Test
    void writesAListForAllAsAnAsteriskAlone() {
        assertEquals(
                Map.of("VIEW_APP", "*", "MODIFY_APP", "*"),
                lists(Map.of("spark.ui.view.acls", "bob,*", "spark.modify.acls.groups", "*")));
    }

    @Test
    void leavesOutTheBlankBeforeNoGroups() {
        assertEquals("alice,bob", lists(Map.of("hearth.ui.view.acls", "bob")).get("VIEW_APP"));
    }
}
