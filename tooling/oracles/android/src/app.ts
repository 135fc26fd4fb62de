/** An app whose resources have something of everything that concerns strings. */
import type { Sources } from './aapt.js';

const strings = (greeting: string): string => `<?xml version="1.0" encoding="utf-8"?>
<resources>
  <string name="app_name">${greeting} 😀 é €</string>
  <string name="empty"></string>
  <string name="quoted">"  kept  " \\"q\\" \\\\ line\\nbreak</string>
  <string name="lengthy">${'0123456789 😀 '.repeat(20)}</string>
  <string name="longer">${'é€😀'.repeat(2000)}</string>
  <string name="styled">plain <b>bold</b> <i>it <u>both 😀</u></i> end</string>
  <string name="link">see <a href="https://example.org/?a=1">here</a></string>
  <string-array name="list"><item>one</item><item>two 😀</item><item>@string/app_name</item></string-array>
  <plurals name="count"><item quantity="one">%d day</item><item quantity="other">%d days 😀</item></plurals>
</resources>`;

const view = 'xmlns:android="http://schemas.android.com/apk/res/android"';

/** Values in folders for other configurations. */
const qualifiers = [
  'de',
  'de-rAT',
  'b+sr+Latn',
  'b+de+1901',
  'fil',
  'b+es+419',
  'mcc310-mnc004',
  'ldrtl',
  'sw600dp',
  'w720dp-h480dp',
  'large-long-round',
  'widecg-highdr',
  'land-car-night',
  'xxhdpi',
  '300dpi',
  'nodpi',
  'anydpi',
  'finger-keyssoft-qwerty-navhidden-dpad',
  'watch',
  'v26',
  'de-rCH-sw320dp-port-notnight-hdpi-v31',
];

export const app: Sources = {
  'AndroidManifest.xml': `<?xml version="1.0" encoding="utf-8"?>
<manifest ${view} package="org.example.app" android:versionName="1.0 😀">
  <uses-permission android:name="android.permission.INTERNET" />
  <application android:label="@string/app_name">
    <activity android:name=".Main"
        android:label="label é €" />
    <meta-data android:name="key" android:value="value 😀" />
  </application>
</manifest>`,
  'res/layout/main.xml': `<?xml version="1.0" encoding="utf-8"?>
<LinearLayout ${view} android:tag="tag 😀">
  <!-- comment -->
  text 😀
  <TextView android:text="written &amp; 😀" android:contentDescription="@string/app_name" custom="own" />
</LinearLayout>`,
  'res/values/strings.xml': strings('Hello'),
  'res/values/styles.xml': `<resources>
  <style name="App" parent="@android:style/Theme"><item name="android:text">of a style 😀</item></style>
</resources>`,
  ...Object.fromEntries(
    qualifiers.map((each) => [`res/values-${each}/strings.xml`, strings(`Hello ${each}`)]),
  ),
};

/** One of each value that a configuration has, and not in the others. */
const furtherQualifiers = [
  ...['ldpi', 'mdpi', 'tvdpi', 'hdpi', 'xhdpi', 'xxxhdpi'],
  ...['small', 'normal', 'xlarge', 'notlong', 'notround', 'nowidecg', 'lowdr', 'square'],
  ...['desk', 'television', 'appliance', 'vrheadset', 'ldltr', 'h720dp', 'mcc310', 'en-rGB'],
  ...['notouch', 'stylus', 'keysexposed', 'keyshidden', 'nokeys', '12key', 'navexposed'],
  ...['nonav', 'trackball', 'wheel', '1280x720', 'b+zh+Hant+TW', 'b+sl+rozaj'],
];

/** A smaller app: a single string in each of the folders for other configurations, and no very long one. */
export const smallApp: Sources = {
  ...app,
  'res/values/strings.xml': strings('Hello').replace(/.*name="longer".*\n/, ''),
  ...Object.fromEntries(
    [...qualifiers, ...furtherQualifiers].map((each) => [
      `res/values-${each}/strings.xml`,
      `<resources><string name="app_name">${each}</string></resources>`,
    ]),
  ),
};
