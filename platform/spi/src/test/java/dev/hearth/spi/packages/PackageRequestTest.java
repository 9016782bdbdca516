package dev.hearth.spi.packages;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.hearth.api.HearthException;
import dev.hearth.spi.error.ErrorCode;
import dev.hearth.spi.settings.Settings;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Coordinates, excludes and addresses of packages, as settings contain them. */
class PackageRequestTest {
    @ParameterizedTest
    @CsvSource({
        "a.b:c:1.0, a.b:c:1.0",
        "a.b/c/1.0, a.b:c:1.0",
        "a:b:jar:1, a:b:1",
        "a:b:zip:1, a:b:zip:1",
        "a:b:jar:tests:1, a:b:jar:tests:1",
        "' a:b:[1,2) ', 'a:b:[1,2)'"
    })
    void readsCoordinates(String text, String expected) {
        assertEquals(expected, PackageCoordinate.parse(text).toString());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a:b: ", " :a:b", "a: :b", "a:b:", ":a:b", "a::b", "::", "a:b", "a", "a:b:c:d:e:f", "a:../b:1"})
    void refusesOtherCoordinatesInTheWordsOfSpark(String text) {
        HearthException failure = assertThrows(HearthException.class, () -> PackageCoordinate.parse(text));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertEquals(
                "Provided Maven Coordinates must be in the form 'groupId:artifactId:version'. The coordinate provided is: "
                        + text + " (expected: for example com.google.guava:guava:33.0.0-jre)",
                failure.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "a:b, a, b, true",
        "a:b, a, c, false",
        "a.*:b, a.x.y, b, true",
        "a.*:b, b.a.x, b, false",
        "*:*, any, thing, true",
        "a:*b*c, a, xbyc, true",
        "a:*b*c, a, xbycd, false",
        "a:b*, a, b, true"
    })
    void leavesOutWhatAPatternCovers(String pattern, String group, String name, boolean expected) {
        assertEquals(expected, PackageExclude.parse(pattern).covers(group, name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"e:f:g:h", "a", "a:", ":b", ""})
    void refusesOtherPatterns(String text) {
        HearthException failure = assertThrows(HearthException.class, () -> PackageExclude.parse(text));
        assertTrue(String.valueOf(failure.getMessage()).startsWith("excluded package '" + text + "': (expected: "));
    }

    @Test
    void readsAddressesOfPackages() {
        RequestedPackage plain = RequestedPackage.parse("ivy://a.b:c:1");
        assertEquals("a.b:c:1", plain.coordinate().toString());
        assertTrue(plain.transitive());
        RequestedPackage full = RequestedPackage.parse(
                "IVY://a:b:1?transitive=true&transitive=FALSE&exclude=a:b%2Cc:d&exclude=e:*&repos=https://h/x");
        assertFalse(full.transitive());
        assertEquals("[a:b, c:d, e:*]", full.excludes().toString());
        assertEquals(List.of("https://h/x"), full.repositories());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ivy://                   | Expected authority at index 6: ivy://",
                "ivy://a:b                | Provided Maven Coordinates must be in the form 'groupId:artifactId:version'. The",
                "ivy:/a:b:1               | no coordinate after ivy://",
                "ivy://a:b:1?foo=         | parameter 'foo=' without a value",
                "ivy://a:b:1?bar=&baz=foo | parameter 'bar=' without a value",
                "ivy://a:b:1?exclude=a    | excluded package 'a': (expected: group:name",
                "ivy://a:b:1?foo=bar      | parameter 'foo' is unknown (expected: ivy://group:name:version, and then"
            })
    void refusesOtherAddresses(String text, String words) {
        HearthException failure = assertThrows(HearthException.class, () -> RequestedPackage.parse(text));
        assertEquals(ErrorCode.BAD_ARGUMENT.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage()).contains(words), failure::getMessage);
    }

    @Test
    void readsTheSettingsOfAnApplication() {
        PackageRequest request = PackageRequest.from(Settings.empty()
                .with("test", "spark.jars.packages", "a:b:1, ivy://c:d:2?repos=https://own/x")
                .with("test", "spark.jars.excludes", "e:f")
                .with("test", "spark.jars.repositories", "https://h/1,https://h/2")
                .with("test", "spark.jars.ivy", "/tmp/.ivy"));
        assertEquals(2, request.packages().size());
        assertEquals("[e:f]", request.excludes().toString());
        assertEquals(List.of("https://h/1", "https://h/2", "https://own/x"), request.repositories());
        assertEquals("/tmp/.ivy", request.directory());
        assertEquals("", request.defaultRepository());
        assertFalse(request.offline());
    }

    @Test
    void refusesPackagesThatAContextAdds() {
        Settings submitted = Settings.empty().with("--packages", "hearth.jars.packages", "a:b:1");
        PackageRequest.requireResolved(submitted, submitted.with("test", "hearth.x", "1"));
        PackageRequest.requireResolved(submitted, submitted.with("test", "hearth.jars.packages", ""));
        HearthException failure = assertThrows(
                HearthException.class,
                () -> PackageRequest.requireResolved(
                        submitted, submitted.with("the application", "spark.jars.packages", "a:b:1,c:d:1")));
        assertEquals(ErrorCode.BAD_SETTING.name(), failure.code());
        assertTrue(String.valueOf(failure.getMessage())
                .startsWith("hearth.jars.packages: a:b:1,c:d:1, set when a context opens (expected: "));
    }

    @Test
    void refusesSettingsFilesOfIvy() {
        Settings settings = Settings.empty()
                .with("test", "spark.jars.packages", "a:b:1")
                .with("test", "spark.jars.ivySettings", "ivysettings.xml");
        HearthException failure = assertThrows(HearthException.class, () -> PackageRequest.from(settings));
        assertEquals(
                "hearth.jars.ivySettings: ivysettings.xml (expected: nothing, as settings files of Ivy are not read; put"
                        + " repositories into hearth.jars.repositories, and mirrors, proxies and passwords into"
                        + " ~/.m2/settings.xml); from test",
                failure.getMessage());
    }
}
